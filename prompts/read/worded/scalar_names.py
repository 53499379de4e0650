"""How the numbers of one token are called, in both languages."""

from __future__ import annotations

import re

LOG = r"(?:log[ _-]?prob(?:abilit(?:y|ies))?s?|log[ _-]?p\b|logps?|logπ|log π|对数概率|log 概率)"
PROB = r"(?:prob(?:abilit(?:y|ies))?\b|概率)"
_LESS_KL = r"(?:the |its |this |that |这个 ?|该 ?|它的?)?(?:token(?:'s)? ?的? ?)?"
_TURNS = r"(?:变|变得|会|反而|更|上|被)*"
_LOG_NEW = rf"(?:\bnew[ _-]?{LOG}|\b{LOG}_new\b)"
_LOG_OLD = rf"(?:\bold[ _-]?{LOG}|\b{LOG}_old\b)"
_LOG_REF = rf"(?:\bref[ _-]?{LOG}|\b{LOG}_ref\b)"
OFF_THE_REWARD = re.compile(
    rf"\b(?:takes?|subtracts?|deducts?) (?P<x>\d*\.?\d+) (?:(?:off|away from|from|out of) {_LESS_KL}reward|off\b"
    rf"|away\b)",
    re.IGNORECASE,
)
COSTS = re.compile(r"\bcosts (?:the|this|that) token (?:about )?(?P<x>\d*\.?\d+)(?! ?[%×*])", re.IGNORECASE)
TO_THE_REWARD = re.compile(rf"\b(?:adds?|gives?) (?P<x>\d*\.?\d+) to {_LESS_KL}reward", re.IGNORECASE)
MORE = {  # what is also worked with, where a whole sentence is understood
    "decay": r"γ ?[·*×]? ?λ|\bgamma ?[·*×]? ?(?:lambda|lam)\b",
    "log_ratio_written": rf"{_LOG_NEW} ?(?:-|minus|减去?) ?{_LOG_OLD}|\b{LOG} ?(?:-|minus|减去?) ?{_LOG_OLD}",
    "kl_written": rf"\b{LOG} ?(?:-|minus|减去?) ?{_LOG_REF}",
    "reward_drop": (
        rf"\b(?:lowers?|reduces?|cuts?|decreases?) {_LESS_KL}reward(?: by)?|(?:让|使|把)?{_LESS_KL}(?:奖励|reward)"
        rf" ?{_TURNS}(?:降低|减少|下降|少|扣掉?|低|小)了?"
        rf"|\bmakes? {_LESS_KL}reward (?:smaller|lower|less)(?: by)?|{_LESS_KL}\breward (?:falls?|drops?|goes down"
        rf"|is (?:lowered|reduced|smaller|lower))(?: by)?|(?:从|给)?{_LESS_KL}(?:奖励|reward) ?(?:里|中)?(?:扣"
        rf"|减)(?:掉|去|了)?"
    ),
    "reward_gain": (
        rf"\b(?:raises?|increases?|lifts?) {_LESS_KL}reward(?: by)?|(?:让|使|把)?{_LESS_KL}(?:奖励|reward)"
        rf" ?{_TURNS}(?:增加|提高|上升|多|加|高|大)了?"
        rf"|\bmakes? {_LESS_KL}reward (?:larger|bigger|higher|greater)(?: by)?|{_LESS_KL}\breward (?:rises?|grows?"
        rf"|goes up|is (?:raised|increased|larger|higher))(?: by)?|给{_LESS_KL}(?:奖励|reward) ?(?:里|中)?加(?:上|了)?"
    ),
    "delta_sum": (
        r"(?:所有|各个?|全部)?的? ?(?:δ|delta|TD ?误差) ?的?(?:之和|总和|加起来|求和|的和)|\bsum of (?:the "
        r"|all )*(?:deltas|δ|TD errors)"
        r"|\b(?:the |all )*(?:deltas|δ|TD errors) (?:sum|add up) to|(?:Σ|\\sum) ?δ(?:_\{?\w\}?)?"
    ),
    "mc_returns": (
        r"(?<![A-Za-z])(?-i:G)(?:_\{?[0t]\}?)?(?![A-Za-z])|\b(?:monte[- ]carlo|mc) returns?\b|蒙特卡[洛罗]回报"
    ),
    "q_values": r"(?<![A-Za-z])(?-i:Q)(?:\(s(?:_t)?, ?a(?:_t)?\)|_t)?(?![A-Za-z])",
    "whitened": (
        r"\b(?:after|once|when) (?:being )?whiten(?:ing|ed)\b|\bwhitened (?:advantage|value|one)?\b"
        r"|白化(?:之)?后的?(?:优势)?"
        r"|标准化后的?(?:优势)?"
    ),
    "surrogate": r"\bunclipped (?:surrogate|objective|one)?(?: term)?|未裁剪的?(?:目标|项)?",
    "batch_mean": r"\b(?:batch )?(?:mean|average)\b|(?:批|batch)?的?(?:均值|平均值)",
    "batch_std": r"\b(?:batch )?(?:std|standard deviation)\b|标准差",
    "floor": r"\bdual[- ]?clip(?: (?:bound|constant))?(?: ?c)?\b|\bclip_ratio_c\b|(?<![A-Za-z])(?-i:c)(?= ?=)",
    "prob": (
        rf"\b(?:the )?(?:policy|actor)(?: model)?(?:'s)? ?的? ?(?:{PROB}|(?:gives|puts|assigns)(?: (?:the|this"
        rf"|that) token)?)"
        r"|(?:当前)?策略的?概率"
    ),
}
NAMES = {
    "ref_logp": (
        rf"\bref(?:erence)?(?: (?:model|policy))?(?:'s)?(?: ?的)?[ _-]?(?:{LOG}|{PROB}|(?:gives|puts"
        rf"|assigns)(?: (?:it|the token))?)?|参考(?:模型|策略)?的? ?(?:{LOG}|{PROB})?"
        rf"|\b{LOG}_ref\b"
    ),
    "old_logp": rf"(?:\bold(?: policy)?(?:'s)?|旧(?:策略)?的?|更新前的?|原来的?|采样时的?)[ _-]?{LOG}|\b{LOG}_old\b",
    "new_logp": (
        rf"(?:\bnew(?: policy)?(?:'s)?|\bcurrent|新(?:策略)?的?|当前的?|更新后的?|现在的?)[ _-]?{LOG}"
        rf"|\b{LOG}_new\b"
    ),
    "log_ratio": r"\blog[ -]?ratio\b|对数(?:比值?|ratio)|log ?比值",
    "logp": rf"(?:\b(?:actor|policy)(?:'s)? ?的? ?)?{LOG}",
    "old_prob": r"(?:\bold(?: policy)?(?:'s)?|旧(?:策略)?的?|更新前的?)[ _-]?(?:prob(?:ability)?|概率)|\bp_old\b|π_old",
    "new_prob": r"(?:\bnew(?: policy)?(?:'s)?|新(?:策略)?的?|更新后的?)[ _-]?(?:prob(?:ability)?|概率)|\bp_new\b|π_new",
    "clipped_ratio": (
        r"\bclip(?:ped)? ratio\b|\bclip\(ratio[^)]*\)|裁剪后(?!的? ?(?:预测|价值|新值|值|V))的? ?(?:ratio|比值)?"
        r"|裁剪?(?:后(?!的? ?(?:预测|价值|新值|值|V))|到|成|为)|\bclipped (?:to"
        r"|at)\b|\bclips (?:it )?to\b|截断?(?:到|成|为)"
    ),
    "objective": (
        r"\b(?:clipped |PPO |surrogate )*(?:objective|surrogate)(?: term)?\b|\b(?:the|its|this) term\b|目标项"
        r"|目标(?:函数)?(?:里|中)?(?:取|用|项|值)?"
        r"(?:的)?|\bPPO (?:takes|uses)\b"
    ),
    "policy_loss": r"\b(?:policy|actor|pg|PPO)[ _]loss\b|策略损失|actor ?损失",
    "ratio": r"\bratio\b|比值|比率|重要性(?:权重|比)|ρ",
    "k2": r"\bk_?2\b",
    "k3": r"\bk_?3\b|\blow_var_kl\b",
    "kl": r"\bk_?1\b|\bKL(?:[ _]?(?:penalty|term|value))?\b(?! ?系数)|KL ?(?:值|散度|估计)",
    "scores": r"\bscores?\b|得分|打分|分数",
    "next_values": (
        r"(?-i:V)_?\{?(?:t ?\+ ?1|tp1)\}?|\bnext (?:state'?s? )?value\b|\bvalue of the next (?:state"
        r"|token)\b|下一(?:个|步)?(?: ?(?:token|状态|词元))?(?:的|处的)? ?(?:价值|V|估值|value)"
    ),
    "next_advantages": (
        r"(?-i:A)_?\{?t ?\+ ?1\}?|\bnext (?:token'?s? )?advantage\b|\badvantage of the next (?:token"
        r"|step)\b|下一(?:个|步)?(?: ?(?:token|词元))?(?:的)? ?(?:优势|A)"
    ),
    "vpred_clipped": r"\bclipped (?:prediction|value|vpred)s?\b|\bvpred_?clipped\b|裁剪后的?(?:预测|价值|新值|值|V)",
    "vf_loss": (
        r"(?:1/2|0\.5) ?[·*]? ?\((?:V|R)(?:_t)? ?- ?(?:V|R)(?:_t)?\) ?\^ ?\{?2\}?|\bvalue loss\b|\bvf_loss\b"
        r"|\bhalf (?:of )?(?:the |that |its )?squared error\b|价值损失|(?:平方误差的?一半"
        r"|一半的?平方误差|半个?平方误差)"
    ),
    "error": r"\b(?:larger |bigger |greater |unclipped |clipped )?squared error\b|平方误差",
    "old_values": (
        r"(?:\bold|\bprevious)[ _](?:value|V|prediction|estimate)s?\b|旧(?:的)?(?:价值|值|预测|估值|V| value)"
        r"|V_?\{?old\}?"
    ),
    "vpreds": (
        r"(?:\bnew|\bcurrent)[ _](?:value|V|prediction|estimate)s?\b|新(?:的)?(?:价值|值|预测|估值|V| value)"
        r"|\bvpreds?\b|V_?\{?new\}?|\bpredict(?:ion|s|ed)\b|预测值?"
    ),
    "returns": (
        r"(?<![A-Za-z])(?-i:R)(?:_\{?\w\}?)?(?![A-Za-z])|\breturns?\b|\b(?:critic(?:'s)? "
        r"|value )?targets?\b|回报|(?:回归)?目标值|critic ?的?目标"
    ),
    "deltas": r"δ(?:_?\{?t\}?)?|\bdelta(?:_t)?\b|\bTD[ -]?error\b|TD ?误差",
    "advantages": r"(?<![A-Za-z])(?-i:A)(?:_?\{?t\}?)?(?![A-Za-z_])|\badvantage\b|优势",
    "rewards": r"(?<![A-Za-z])(?-i:r)(?:_?\{?t\}?)?(?![A-Za-z_])|\b(?:token )?reward\b|奖励",
    "values": r"(?<![A-Za-z])(?-i:V)(?:_?\{?[t0]\}?|\(s(?:_t)?\))?(?![A-Za-z_+\d])|\bvalue\b|价值|估值",
}
ALIKE = {"log_ratio_written": "log_ratio", "kl_written": "kl"}
NAME = re.compile("|".join(f"(?P<{name}>{words})" for name, words in NAMES.items()), re.IGNORECASE)
EVERY_NAME = re.compile("|".join(f"(?P<{name}>{words})" for name, words in {**MORE, **NAMES}.items()), re.IGNORECASE)
