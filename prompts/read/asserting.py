"""Which sentences of a message state something or ask for yes or no, and which ask for anything else."""

from __future__ import annotations

import re

from prompts.read.characters import clean
from prompts.read.polarity import said

_SENTENCES = re.compile(r"(?<=[。?!;;？！；])(?!=)\s*|(?<=[a-z0-9\])'\"]\.)\s+|\n+", re.IGNORECASE)
_LOOSE = re.compile(
    r"(不管|无论|不论|随便|任凭|知道|决定|不清楚|取决于)[^,，。；;]*|怎么(说|都|也|会|可能|样都)|什么(都|也)|"
    r"哪[个种一][^,，。?？]{0,10}都|[了多少这那前后好]几[步个条种]|"
    r"哪怕|几乎|多少[^。]*[,，][^。]*多少|几个都|多少都|没什么|whatever|没有?[哪谁什几]|多[^,，。?？]{1,2}几|几[千百十]|"
    r"分不[出清][谁哪]|[与跟和][^,，。?？]{0,28}(?:无关|没关系|没有?(?:任何|什么|半点)?关系(?!\s*[?？]))|(?:并|可|[，,])不是什么|算不上什么|"
    r"[抹看][^,，。?？]{0,12}差别|"
    r"(?:[谁哪]|(?<![为凭干])什么|多少)[^,，。?？]{0,12}(?:都|一样|无所谓|不变|没影响)|怎么[变调取选改换挪估走写][^。?？]{0,20}都|"
    r"还是(?:那|同一|原来|上升|下降|取决|按|等于)|几[个条][^,，。?？]{0,10}都|(?:还剩|[的同])几[个条]|"
    r"哪[^,，。?？]{0,8}(?:[由看]|取决)|[写选抽](?:了|到|的是)(?:哪个|什么)(?=[^?？]{3})|"
    r"(?:不会?改变|改变不了|不会?影响|影响不了|不动|保持|决定)[^,，。?？]{0,24}(?:谁|哪)[^,，。?？]{0,10}|"
    r"(?:肯定|一定|必然|必定|说明|表示|意味着?)[^,，。?？]{0,6}哪里?[^,，。?？]{0,6}(?:错|问题|不对)|"
    r"[前后这那]面?的?几个[^?？]{1,24}[都也全]|"
    r"no matter (what|how|which|where)|"
    r"\b(?:which|what|how|who|where)\b[^?]*\b(?:(?:makes?|has|have|plays?) no|changes? nothing"
    r"|(?:does|do)(?:n't| not) (?:matter|change|count)|is irrelevant)\b(?=[^?]*$)"
)
_ASKS_ZH = re.compile(
    r"为什么|为啥|为何|干嘛|干吗|凭什么|怎么|怎样|咋|[如有]何|何[种时谓]|什么|啥|哪|多少|几[步个条种]|谁|"
    r"神[马么]|什麽|甚[么麼]|怎yang|怎麼|干麻|"
    r"^.{0,12}(?<!着)呢\W*$|分别是|分别指|zen ?me|wei ?shen ?me|[在里]那[?？\s]*$|那里错|"
    r"(?<![没无有])(?<!任何)(?<!没有..)(?<![没无]..)(?:区别|差别|不同(?=在?[?？])|关系)在?[?？\s]*$"
)
_YES_NO_ZH = re.compile(
    r"(?<![什怎那])[吗么嘛吧]\W*$|对不对|是不是|[是会要能算含]不[是会要能算含]|有没有|是否|能否|难道|对吧"
)
_ASKS_EN = re.compile(
    r"(?:^|[,:;.]\s|\s[-–—]+\s)\W*(?:(?:and|but|so|then|also|ok|okay|hi|hey|hello|please|um|well|sorry)\b\W*+)*+"
    r"(?:(?:to|under|in|at|by|for|on|from|with) (?:what|which)|why|how|what|what's|whats|"
    r"which(?! (?:means|is|are|implies|makes|would))|(?<!, )where(?! as)|where(?! as)(?=.*[?？])|"
    r"when (?:is|are|do|does|did|should|would|will|can)|who|whose)\b(?=.*[?？]|.{0,60}$)"
    r"|\b(?:wat|wats|waht|wut|wher|wich|hwo)\b(?!.*\.$)"
    r"|=\s*\?|\bwhat (?:about|happens)\b|\b(?:what|whats|what's|which|how|why)\b[^.;]*[?？]\s*$|\bvs\b"
    r"|#\s*(?:why|what|how|explain)\b|\bwhat'?s? (?:is |are )?(?:the )?diff\w*|\bsettle (?:it|this|"
    r"that)\b|\bwhat the \w+ .* is$",
    re.IGNORECASE,
)
_YES_NO_EN = re.compile(  # is it not so that V is what the critic says?
    r"\W*+(?:(?:and|but|so|then)\b\W*+)*+"
    r"(?:is|isn't|are|aren't|does|doesn't|do|don't|was|wasn't|will|won't|must|should|can|could|would)\b"
    r"(?! (?:you|anyone|somebody|someone|we (?:go|see|look)|i (?:ask|see|have|get))\b)"
    r"(?![^?]*(?:\b(?:or|and) (?:which|where|when|who|what|why|how)|, (?:what|why|how))\b)",
    re.IGNORECASE,
)
_VERBS = (
    r"give|show|prove|derive|explain|compute|calculate|work out|tell me|walk|take me|list|define|describe|"
    r"calc|comput|crunch|defin|trace|go over|spell out|"
    r"compare|contrast|implement|write|draw|plot|sketch|state (?:the|a|what|how)|find|"
    r"evaluate|verify|audit|quiz|teach|summari[sz]e|translate|use|apply|convert|demonstrate|"
    r"illustrate|outline|clarify|elaborate|discuss|justify|argue|"
    r"tabulate|interpret|settle|construct|determine|name|identify|formulate|express"
)
_WISH_EN = re.compile(
    r"^\W*(?:(?:and|but|so|then|also|ok|okay|hi|hey|hello|please|now|kindly|just)\b\W*+)*+"
    rf"(?:(?:can|could|would|will) you|i(?:'d| would) like|i (?:want|need) (?:you|to)|help me|let me|"
    rf"let's|given\b.*[,;:.] *(?:please |then )?(?:{_VERBS})"
    rf"|(?:take|suppose|consider|assume|check|append|insert|remove|{_VERBS})\b)"
    rf"|(?:the )?same \w+ (?:with|but|for|under|using) [\w-]+(?: [\w-]+)?[\s.!]*$|(?:go )?back to\b"
    rf"|(?:[:;,.]|\s[-–—]+)\s*(?:please |then |and |now )?(?:{_VERBS})\b(?! (?:the|a) (?:same|different))",
    re.IGNORECASE,
)
_WISH_ZH = re.compile(
    r"(?:^|[,，:：])\W*(?:请|麻烦|帮我?|给我?|能不能|能否|可以|可否|你能|求|劳驾|再|来|先|接着|然后|下一步|接下来)*\s*(?:你)?(?:帮我|给我|替我)?\s*"
    r"(?:证明|推导|计算|算一?下|算出|求出|解释|说明一?下|讲讲|讲一?下|讲解|给出|给个|给我|各?算[一两]?[遍次]|画|列出|列个|举|写出|写一|"
    r"看看|看一看|看一?下|瞧瞧|(?<=[着后步来再先])看|介绍|描述|定义一?下|比较|对比|演示|翻译|总结|"
    r"检查|核对|验算|走一遍|告诉我|说说|谈谈|聊聊|考考我|出道?题|拆解|展开|论证|分析)"
    r"|(?:^|[,，。;； ])(?:那|请)?试(?:着|从[^,，]{1,20}|用[^,，]{1,12}|分别)?"
    r"(?:求|证|解释|说明|推导|分析|写出|算|论述|比较)"
    r"|(?:从头|一步一?步|逐步|逐个|一路|帮忙?|拿数字|分别)[^,，]{0,6}(?:算|推|走)(?:出来|一下|一遍|到|$)|[给帮]我(?:都)?算"
    r"|(?:^|[,，。:：;； ])求(?!和|得)(?:完整|一个|个|推|证|解|出|各|优势|回报|回复|指教)"
    r"|(?:计算|推导|证明|算)(?:的)?(?:过程|步骤)\W*$|(?:含义|对比|定义|流程|步骤|作用|用途|公式|推导|证明)(?:一下|吧|把)?\W*$"
    r"|(?:^|[,，。 ])(?:那|请|再)*(?:把|将)[^,，。]{1,24}"
    r"(?:去掉|删掉?|删除|拿掉|移除|去除|撤掉|改回来?|换掉|恢复)(?:吧|了)?\W*$"
    r"|给我\W*$|(?:^|[。,，])请|(?:换成?|改成?|用|拿).{1,12}(?:看看|算一?[遍次下])"
)
_WISH_WITHIN = re.compile(
    r"像[^,，。]{1,16}(?:一样|那样|似的)[^,，。]{0,6}[讲说解]|[讲说解][^,，。]{0,2}(?:一遍|一次|给我听)"
    r"|\b(?:pls|plz)\b|^\W*please\b|\bplease\W*$"
    r"|\b(?:could|can|would) (?:somebody|someone|anyone)\b|\bi(?:'d| would) love\b"
    r"|\bi need the\b|\bjust the (?:figures|numbers)\b"
    r"|帮我|帮忙|请(?!问|确认)|展开讲|讲讲|能不能(?:给|做|写|讲|展开|推|证|说|解释)|并(?:且)?(?:说明|解释|给出|写出)|一路推"
    r"|^把[^,，。?？]{1,24}(?:一下|一遍|[画列算写]出来)\W*$|[,，:：]\s*(?:请|再|先)?(?:比较(?![大小高低难好时])|对比|列出|求(?![和得]|均值时|平均时))"
    r"|[,，:：]\s*(?:请|再|先|并)?(?:给出|写出|算出|求出|代入)(?![了的来])"
    r"|[,，:：]\s*(?:请|再|先)?从[^,，。]{1,16}一路(?:算|推)"
    r"|\b(?:can|could|would) you (?!confirm|agree)"
    rf"|(?:[:;,.]|\s[-–—]+)\s*(?:please |then |and |now )?(?:{_VERBS})\b(?! (?:the|a) (?:same|different))",
    re.IGNORECASE,
)
_WORKS = r"(?:whiten|normali[sz]e|standardi[sz]e|clip|mask|discount)"
_ON_NUMBERS = re.compile(  # whiten [0.5, -0.2] the way verl does · 把它们按 verl 的方式白化
    r"\W*+(?:(?:and|then|now|ok|please|first|so)\b\W*+)*+"
    rf"{_WORKS} (?:(?:\w++ ){{0,4}}\[[^\]]*\]|these|those|them|my \w+)"
    r"(?![^?]*\?)(?!.*\b(?:and|so|then|is|are|will|makes?)\b).*"
    r"|(?:那|请|再|先|然后)*(?:把|将|对)[^。?？就会是不能都]{1,80}(?:白化|标准化|归一化|裁剪|打折)(?:一下|吧|了)?\W*"
    r"|(?:那|请|再|先|然后)*(?:白化|标准化|归一化|裁剪) ?(?:一下)?(?:这[些组]|它们|我的)?\w{0,10} ?\[[^\]]*\]"
    r"[^?？吗就会是不都]*",
    re.IGNORECASE,
)
_LISTED = re.compile(r"[\[(][^\])]*[\])]")
_CHOICE = re.compile(r"还是[^,，。]*(?:呢|[?？])\W*$|^.{0,24}(?<![的后里中时前,，])还是.{0,12}$")
_CHOICE_EN = re.compile(r"\bor\b(?! not| no\b| less| more)[^?]*\?\s*$", re.IGNORECASE)
_TAGGED = re.compile(
    r"(?<![什怎那])[吗么嘛吧]\W*$|(?:right|correct|no|isn't it|true|agree|so|false|not|disagree)\s*\?\s*$",
    re.IGNORECASE,
)
_PLURALS = (  # what ends in s and is no verb
    r"(?:(?:advantage|return|reward|value|delta|prob|logit|score|state|token|step|target|weight|estimate|baseline|term|"
    r"ratio|prompt|response|sample|critic|number|formula|example|method|error|detail|difference|curve|batche|epoch|"
    r"model|beside|time|param|parameter)s|bias|loss|gaes|basics|bonus|always|perhaps|across|versus|this|minus|plus|yes|"
    r"indices)\b"
)
_BRIEF_EN, _BRIEF_ZH = 5, 9  # words, characters: what is shorter needs a word that states
_STATING_EN = re.compile(
    r"[=≠<>≤≥]|\b(?:is|are|isn't|aren't|was|be|do|does|doesn't|has|have|can|can't|cannot|will|should|"
    r"must|inside|part|zero|always|never|only|negative|equals?|same|includes?|contains?|starts?|"
    r"needs?|uses?|gives?|makes?|means|not|no|takes?|enters?|changes?|stays?|reads?|depends?|reduces?|raises?|lowers?"
    r"|moves?|affects?|reaches|belongs?|shares?|leaves?|counts?|holds?|keeps?|touches|trained|comes?|may|might"
    r"|matters?|works?|exclude|weigh|beat|grow|differ|cancel|rises?|falls?)\b"
    # a subject, what it does, and to whom
    rf"|^\W*\S+(?: (?!in |of |for |with |to |these |the )\S+)?? (?!{_PLURALS})[a-z]{{3,}}(?<!s)s \S",
    re.IGNORECASE,
)
_STATING_ZH = re.compile(
    r"[=≠<>≤≥]|[吗么吧是会能要就都不没无含只必总等变增减高低大小恒则最越也还由取]|一样|相同|取决|满足|对应[^关 ]"
    r"|(?<!的)[属归]于|得到[^?？]|用到|里用|用的|[除乘]以|减去|加上|扣完|才进|一视同仁|说明|意味|差[一二两]|[多少]一个|逼近|让|先[跑算]"
    r"|(?<![作信])用(?![途法处例])|(?<![演计运])算(?!一?遍|一?下|法|术|例)|[看读写放给进扣付抹拟挣涨跌升降缺漏丢剩扔挨含把被]"
    r"|留(?!一)|[在到从][^?？]{1,14}[前后里上中内外位起止]|从[^?？]{1,14}开始|来自|源自|(?<!的)影响(?!$)|[优劣胜]于|防止"
    r"|抵消|趋|围着|带[正负着]|知道|修正|依赖|加(?![权速])|减(?!法)|乘(?![积子])|除(?![法了])|偏[大小高低正负出离了]"
    r"|有(?!限)|在(?!线)|更(?!新)|可(?:以|正)|[仍应该拿带靠]|为(?=[零正负一 0-9])|管(?![道线理])|[有无]偏"
    r"|同[一号列下时步位]|并非|限制|决定|出现|翻倍|接近|覆盖|封顶|出自|跟着|一起|[每一][个条步][^,，]{1,12}[一两]个|先[^,，]{1,14}[再后]"
    r"|错[了位一开]|代替|平均为|成正比|平移|逐条|逐\s?token|各[有占付算]|估[高低计]"
    r"|有影响|比.{1,10}[好强差准大小高低稳快慢多少]$"
)
_SHORTEST = 4  # characters that can state something
_FEWEST_WORDS = 3
_RELATES = re.compile(r"[=≠<>≤≥≡≢≈]|→")
_MEASURED = re.compile(  # one number, which only other numbers bear out, or several of a parameter
    r"\W*\w+(?:\[\d+\])?\s*(?:=|取)\s*(?:[-+]?\d*\.\d++|[\d.]++(?:\s*+(?:[,，、和与]|and)\s*+[\d.]++)++)\W*"
)
_NUMBER = r"[-+−]?(?:\d*\.)?\d++%?"
_SET = re.compile(rf"[\w^]+\s*[=:]\s*(?:\[[^\]]*\]|{_NUMBER}(?![\w^*/]))")  # whatever stands in the list
_SEVERAL = rf"(?:[\[(][\d\s.,，、;+−-]*+[\])]|{_NUMBER}(?:\s*+[,，、/ ]\s*+(?:and |和)?{_NUMBER})++)"
_PARAMETERS = r"(?:gamma|lambda|lam|beta|eps(?:ilon)?(?:_low|_high)?|clip(?:range|_ratio)?|[γλβε])"
_GIVEN = re.compile(  # logp = [-0.4, -0.9] · my values are [1, 2] · 奖励换成 0、0、1
    r"(?:(?:my|the|and|with|for|new|old|here|are|分别|我的|现在|其中)\s++)*+(?:[\w\u0370-\u03ff]{1,24}+(?:\s\w{1,12}+)?"
    rf"\s*+(?:=|:|：|≈|is|are|was|were|got|是|取|为|换成|改成|变成)\s*+{_SEVERAL}"
    rf"|{_PARAMETERS}\s*+(?:=|:|：|is|是|取|为|换成|改成|变成)?\s*+{_NUMBER})",
    re.IGNORECASE,
)
_SLIP = re.compile(  # what is said when numbers are corrected
    r"\b(?:sorry|oops|typo|my (?:mistake|bad)|wait|no|mis(?:typed|read|copied)|i (?:mixed|swapped|got|typed|copied) "
    r"(?:them|it|those|that|these) (?:up|wrong(?:ly)?)|that was wrong|i meant|correction|it should be|should be)\b"
    r"|打错了?|写错了?|抄错了?|弄错了?|看错了?|记错了?|搞反了?|说错了?|不好意思|抱歉|更正(?:一下)?|应该是",
    re.IGNORECASE,
)
_NO_WORD = re.compile(r"[\W\d_]|\b(?:and|with|so|then|the|my|for|here|ok|now|以及|还有|和|了|呢|吧|那)\b|[了呢吧那和]")
_LIST = re.compile(rf"{_NUMBER}\s*+[,，、]\s*+{_NUMBER}")
_NOUNS_ASKED = re.compile(
    r"\W*+(?:[\w\u0370-\u03ff]++[ -]?){1,4}(?:[?？]|(?:, (?:the )?same (?:\w++ ?){1,5}|(?<=then ))[.!?]?)\s*",
    re.IGNORECASE,
)
_CHINESE = re.compile(r"[\u3400-\u9fff]")
LONGEST = 1200  # characters; what is longer is a text and not a claim


def assertions(message: str) -> tuple[str, ...]:
    """The sentences that state something or ask whether it is so; empty when the message wants something else."""
    text = clean(message).strip()
    if not text or len(text) > LONGEST or "```" in text:
        return ()
    sentences = [part.strip() for part in _SENTENCES.split(text) if part and part.strip()]
    if any(_asks(sentence) for sentence in sentences) or (_LIST.search(text) and _names(sentences[-1])):
        return ()
    stated = [sentence for sentence in sentences if not _wishes(sentence) and _states(sentence)]
    if len(stated) < len(sentences) and not any(_TAGGED.search(sentence) for sentence in sentences):
        stated = [] if any(_wishes(sentence) for sentence in sentences) else stated
    return tuple(stated)


def yes_or_no(message: str) -> bool:
    """Whether a message states something and asks whether it is so."""
    return _TAGGED.search(clean(message)) is not None and bool(assertions(message))


def _asks(sentence: str) -> bool:
    """Whether it is a question that yes and no do not answer."""
    firm = _LISTED.sub(" ", _LOOSE.sub(" ", sentence))
    tagged = _TAGGED.search(sentence) is not None
    if not tagged and (_CHOICE.search(firm) or _CHOICE_EN.search(sentence)):
        return True
    if _ASKS_ZH.search(firm) and not _YES_NO_ZH.search(sentence):
        return True
    decided = tagged or sentence.endswith(".") or _YES_NO_EN.match(sentence) is not None
    return not decided and _ASKS_EN.search(firm) is not None


def wishes_within(message: str) -> bool:
    """Whether a message, behind the numbers that it gives, wants something worked out of them."""
    return _WISH_WITHIN.search(clean(message)) is not None


def _names(sentence: str) -> bool:
    """Whether a question is no more than the name of what is wanted: GRPO advantages?"""
    if _NOUNS_ASKED.fullmatch(sentence) is None or _TAGGED.search(sentence):
        return False
    nouns = re.sub(r",.*", "", sentence)
    return not _STATING_EN.search(nouns) and not _STATING_ZH.search(nouns)


def _gives(sentence: str) -> bool:
    """Whether a sentence does no more than give numbers, or correct them."""
    left = _SLIP.sub(" ", _GIVEN.sub(" ", sentence))
    return left != sentence and _GIVEN.search(sentence) is not None and not _NO_WORD.sub("", left)


def _wishes(sentence: str) -> bool:
    return bool(
        _WISH_WITHIN.search(sentence)
        or _ON_NUMBERS.fullmatch(sentence)
        or _WISH_EN.match(sentence)
        or (_WISH_ZH.match(sentence) and not _YES_NO_ZH.search(sentence))
    )


def _states(sentence: str) -> bool:
    """Whether there is enough of a sentence to state anything."""
    if _MEASURED.fullmatch(sentence) or (_gives(sentence) and not _YES_NO_ZH.search(sentence)):
        return False
    core = said(sentence).core
    if _CHINESE.search(core):
        long = len(_CHINESE.findall(core)) >= _BRIEF_ZH
        return len(core) >= _SHORTEST and (long or _STATING_ZH.search(sentence) is not None)
    words = len(core.split())
    if words >= _FEWEST_WORDS - 1 and _TAGGED.search(sentence) is not None:
        return True
    return _RELATES.search(core) is not None or (
        words >= _FEWEST_WORDS
        and (words >= _BRIEF_EN or sentence.endswith(".") or _STATING_EN.search(sentence) is not None)
    )


def says_more(sentence: str) -> bool:
    """Whether a sentence states something beside what numbers are given: r=[0,1], γ=1 states nothing of them."""
    left = _SET.sub(" ", sentence)
    return bool(_STATING_EN.search(left) or _STATING_ZH.search(left))
