"""What a message speaks of, by its words: an audit, whitening, a group, a value loss, the last token, all of them."""

from __future__ import annotations

import re

AUDIT = re.compile(
    r"对吗|对么|对嘛|对不对|对没|检查|核对|核查|核实|核下|验算|验证|验一|验下|校验|审阅|审一|挑错|挑毛病|错了|有误|有错|没错|出错|算错|是否正确|正确吗|"
    r"哪里错|那里错|谁对|谁错|靠谱|看看有没有|一致吗|right\?|correct|\bcheck|\bchek|verify|\baudit|\bwrong|\bworng|mistake|\berror\b|sanity|"
    r"\bok\?|fishy|confirm|add up|any slip|proofread|went wrong|look it over|is (?:this|it|that) right|are (?:these|those|they) right|"
    r"consistent|full marks|jiancha|\bbug\b",
    re.IGNORECASE | re.ASCII,
)
WHITEN = re.compile(
    r"白化|白话|bai ?hua|whiten|whitn|normali[sz]|standardi[sz]|标准化|归一化|z-?score", re.IGNORECASE | re.ASCII
)
GROUP = re.compile(
    r"grpo|rlo{1,3}|leave[- ]one[- ]out|留一|组内|组里|同组|(?<!两)一组(?!新|旧|数|参数)|\bgroup|小组|rollout\.n|reinforce\+\+|同一(?:个)? ?(?:prompt|问题)",
    re.IGNORECASE | re.ASCII,
)
CLIP = re.compile(r"\bclip|裁剪|剪裁|彩剪|裁减|截断|截取|ratio", re.IGNORECASE | re.ASCII)
VALUE_LOSS = re.compile(
    r"value loss|vf_?loss|vlaue loss|critic loss|价值损失|价值头.{0,8}(?:损失|误差)|cliprange_value|vpred|vf_clip|值函数损失|critic.{0,6}损失",
    re.IGNORECASE | re.ASCII,
)
MC = re.compile(
    r"monte|蒙特卡|\bmc\b|returns? minus|reward-to-go|discounted return|cumsum|回报减", re.IGNORECASE | re.ASCII
)
SURROGATE = re.compile(
    r"surrogate|surogate|代理目标|替代目标|L_?CPI|\bCPI\b|\bTRPO\b|ratio|比率|比值|clip|裁剪|objective|ppo 目标|目标",
    re.IGNORECASE | re.ASCII,
)
RLHF_KL = re.compile(r"\bkl\b|β|beta|\bk[123]\b", re.IGNORECASE | re.ASCII)
ONLY_LAST = re.compile(
    r"最后|末尾|末位|末端|结尾|\bfinal\b|\blast\b|at the end|\bterminal\b|in the end|eos", re.IGNORECASE | re.ASCII
)
EVERYWHERE = re.compile(
    r"都|均为|全是|全为|恒为|每个|一律|\ball\b|everywhere|constant|each|every", re.IGNORECASE | re.ASCII
)
SUMMED = re.compile(r"相加|加起来|总和|之和|合计|总共|\bsum|\btotal|add up", re.IGNORECASE | re.ASCII)
WHY = re.compile(r"为什么|为何|为啥|怎么会|凭什么|\bwhy\b|how come", re.IGNORECASE | re.ASCII)
