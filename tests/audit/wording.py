"""How people label columns, name settings and ask: written from blogs, logs and chats; the reader has none of it."""

from __future__ import annotations

from collections.abc import Mapping

# quantity → how a column of it is headed, by manner
HEADS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "rewards": {
        "symbol": ("r_t", "r", "$r_t$", "r(t)", "r_t (token reward)", "**r**", "rₜ"),
        "code": ("token_level_rewards", "rewards", "reward", "rew", "rewards[t]", "step_reward"),
        "en": ("Reward", "per-token reward", "Token reward r_t", "Rewards (after KL)", "reward at t"),
        "zh": ("奖励", "即时奖励", "奖励 r_t", "每步奖励", "token 级奖励", "奖励(已扣KL)", "r_t（奖励）"),
    },
    "values": {
        "symbol": ("V_t", "V", "$V_t$", "V(s_t)", "$V(s_t)$", "v_t", "Vₜ", "**V(s)**"),
        "code": ("values", "value", "val", "values[t]", "critic_value", "old_values"),
        "en": ("Value", "Critic value", "value estimate V(s_t)", "Critic's prediction", "Value (before the token)"),
        "zh": ("价值", "价值估计", "critic 估值", "状态价值 V(s_t)", "价值 V_t", "V_t（critic 输出）", "值函数"),
    },
    "deltas": {
        "symbol": ("δ_t", "δ", "$\\delta_t$", "delta_t", "δ(t)", "δₜ", "**δ**"),
        "code": ("delta", "deltas", "td_error", "td_errors", "td_err", "deltas[t]", "td"),
        "en": ("TD error", "TD-error δ_t", "TD residual", "one-step TD error", "delta (TD)"),
        "zh": ("TD 误差", "TD误差 δ_t", "时序差分误差", "TD 残差", "δ_t（TD误差）", "单步误差 δ"),
    },
    "advantages": {
        "symbol": ("A_t", "A", "$A_t$", "A^{GAE}_t", "$\\hat{A}_t$", "Aₜ", "**A**", "A_t (GAE)"),
        "code": ("advantages", "advantage", "adv", "advs", "gae", "advantages[t]", "lastgaelam", "gae_adv"),
        "en": ("Advantage", "GAE", "GAE advantage", "Advantage A_t", "advantage (raw)", "Adv. (GAE)"),
        "zh": ("优势", "优势值", "GAE 优势", "优势 A_t", "优势估计", "A_t（GAE优势）", "优势函数"),
    },
    "returns": {
        "symbol": ("R_t", "R", "$R_t$", "R_t = A_t + V_t", "A_t + V_t", "A+V", "Rₜ"),
        "code": ("returns", "return", "ret", "value_target", "returns[t]", "critic_target"),
        "en": ("Return", "Return (A+V)", "Value target", "critic target", "λ-return", "Return target R_t"),
        "zh": ("回报", "回报 R_t", "回报 A+V", "价值目标", "critic 的目标", "R_t（回报）", "λ-回报"),
    },
    "mc_returns": {
        "symbol": ("G_t", "G", "$G_t$", "G(t)", "Gₜ"),
        "code": ("mc_returns", "reward_to_go", "rtg", "mc_return", "discounted_returns"),
        "en": ("Monte Carlo return", "MC return", "reward-to-go", "Return-to-go G_t", "discounted return G"),
        "zh": ("蒙特卡洛回报", "MC 回报 G_t", "折扣回报", "累计折扣奖励", "G_t（MC回报）"),
    },
    "mc_advantages": {
        "symbol": ("G_t - V_t", "$G_t - V_t$", "G-V", "A^{MC}_t"),
        "code": ("mc_advantages", "mc_adv", "adv_mc", "mc_advantage"),
        "en": ("MC advantage", "Monte Carlo advantage", "G − V (MC advantage)"),
        "zh": ("蒙特卡洛优势", "MC 优势", "MC优势 G-V"),
    },
    "scores": {
        "symbol": ("score_t", "s", "score", "RM score"),
        "code": ("token_level_scores", "scores", "score", "rm_scores"),
        "en": ("Score", "RM score", "reward model score", "outcome score"),
        "zh": ("得分", "奖励模型打分", "RM 分数", "原始得分"),
    },
    "kl": {
        "symbol": ("KL_t", "KL", "$KL_t$", "kl_t", "k1"),
        "code": ("kl", "kld", "kl_penalty", "token_kl"),
        "en": ("KL", "per-token KL", "KL estimate", "KL (logp - ref)"),
        "zh": ("KL", "逐 token KL", "KL 项", "KL散度"),
    },
    "logp": {
        "symbol": ("log π", "$\\log\\pi_\\theta$", "logπ_t", "logp"),
        "code": ("logp", "log_probs", "logprobs", "actor_logp", "log_prob"),
        "en": ("log-prob", "Policy log-prob", "actor log prob"),
        "zh": ("对数概率", "策略 logp", "actor 的 logp", "策略对数概率"),
    },
    "ref_logp": {
        "symbol": ("log π_ref", "$\\log\\pi_{ref}$", "logπ_ref"),
        "code": ("ref_logp", "ref_log_prob", "ref_logprobs", "logp_ref"),
        "en": ("reference log-prob", "ref log prob", "Ref. log-prob"),
        "zh": ("参考对数概率", "参考模型 logp", "ref 的 logp", "参考策略对数概率"),
    },
    "whitened": {
        "symbol": ("whiten(A)", "$\\tilde{A}_t$", "A_norm", "Â (whitened)", "(A-mean)/std", "A_white", "norm(A)", "A'"),
        "code": ("whitened", "adv_norm", "advantages_whitened", "norm_adv", "masked_whiten(advantages)", "adv_whitened"),
        "en": ("whitened advantages", "Whitened A", "normalized advantage", "Advantage (whitened)", "standardised A"),
        "zh": ("白化优势", "白化后的 A", "归一化优势", "标准化后", "优势（白化后）", "白化后的优势"),
    },
    "group_rewards": {
        "symbol": ("r_i", "$r_i$", "r", "R_i", "s_i"),
        "code": ("rewards", "reward", "score", "scores", "group_rewards"),
        "en": ("Reward", "Outcome reward", "score of the response", "reward r_i", "Score"),
        "zh": ("奖励", "得分", "回答得分", "结果奖励", "奖励 r_i", "分数"),
    },
    "grpo_advantages": {
        "symbol": ("A_i", "$A_i$", "A", "$\\hat{A}_i$", "A^{GRPO}"),
        "code": ("advantages", "advantage", "adv", "grpo_adv", "grpo_advantage"),
        "en": ("GRPO advantage", "Advantage", "group-normalised advantage", "(r - mean)/std", "normalized advantage"),
        "zh": ("GRPO 优势", "优势", "组内标准化优势", "优势 A_i", "组内归一化后的优势"),
    },
    "rloo_advantages": {
        "symbol": ("A_i", "$A_i$", "A", "r_i - b_i", "A^{RLOO}"),
        "code": ("advantages", "advantage", "adv", "rloo_adv", "rloo_advantage"),
        "en": ("RLOO advantage", "Advantage", "reward - baseline", "leave-one-out advantage"),
        "zh": ("RLOO 优势", "优势", "留一优势", "奖励减基线"),
    },
    "baselines": {
        "symbol": ("b_i", "$b_i$", "b"),
        "code": ("baseline", "baselines", "loo_baseline", "rloo_baseline"),
        "en": ("Baseline", "leave-one-out baseline", "mean of the others", "LOO baseline"),
        "zh": ("基线", "留一基线", "其余回答的均值", "baseline（其他均值）"),
    },
    "new_logp": {
        "symbol": ("log π_new", "$\\log\\pi_{new}$", "logπ_θ (new)"),
        "code": ("new_logp", "new_log_probs", "logp_new", "log_prob_new"),
        "en": ("new log-prob", "Log-prob (new policy)", "current log-prob"),
        "zh": ("新策略 logp", "新对数概率", "更新后的 logp", "新 logp"),
    },
    "old_logp": {
        "symbol": ("log π_old", "$\\log\\pi_{old}$", "logπ_θ_old"),
        "code": ("old_logp", "old_log_probs", "logp_old", "old_log_prob"),
        "en": ("old log-prob", "Log-prob (old policy)", "rollout log-prob"),
        "zh": ("旧策略 logp", "旧对数概率", "采样时的 logp", "旧 logp"),
    },
    "ratio": {
        "symbol": ("ρ_t", "ratio", "$\\rho_t$", "r_t(θ)", "exp(new-old)", "ρ"),
        "code": ("ratio", "ratios", "ratio[t]", "importance_ratio"),
        "en": ("Ratio", "importance ratio", "probability ratio", "ratio (new/old)"),
        "zh": ("比率", "重要性比率", "概率比", "比值 ρ"),
    },
    "terms": {
        "symbol": ("ρ_t A_t", "ratio*A", "$\\rho_t A_t$", "ρA", "ratio × A"),
        "code": ("surrogate", "surr1", "ratio_adv", "surr", "surrogate_terms"),
        "en": ("surrogate term", "Surrogate", "unclipped term", "ratio times advantage"),
        "zh": ("代理目标项", "未裁剪项", "比率×优势", "替代目标项"),
    },
    "clipped": {
        "symbol": ("clip(ρ)A", "clip(ratio)*A", "clip(ρ_t,1-ε,1+ε)·A_t"),
        "code": ("surr2", "clipped_term", "clipped_surr", "clipped"),
        "en": ("clipped term", "Clipped surrogate", "clipped ratio times A"),
        "zh": ("裁剪项", "裁剪后的项", "裁剪后×优势"),
    },
    "objective_terms": {
        "symbol": ("min", "L_t", "min(ρA, clip(ρ)A)", "L^{CLIP}_t"),
        "code": ("objective", "min_term", "ppo_obj", "obj", "objective_terms"),
        "en": ("min of both", "PPO objective term", "Objective", "taken (min)"),
        "zh": ("取小", "目标项", "两者取小", "PPO 目标项", "min 项"),
    },
    "advantages_given": {
        "symbol": ("A_t", "A", "$A_t$", "Aₜ"),
        "code": ("advantages", "adv", "advantage"),
        "en": ("Advantage", "advantage A_t"),
        "zh": ("优势", "优势 A_t"),
    },
    "vpreds": {
        "symbol": ("V_new", "$V_\\theta$", "V^{new}"),
        "code": ("vpreds", "vpred", "new_values", "vpreds[t]"),
        "en": ("new value prediction", "vpred (new)", "New V", "current value"),
        "zh": ("新预测", "新的价值预测", "新价值", "当前预测 vpred"),
    },
    "old_values": {
        "symbol": ("V_old", "$V_{old}$", "V^{old}"),
        "code": ("old_values", "values_old", "old_value", "old_v"),
        "en": ("old value", "rollout value", "Old V", "old value prediction"),
        "zh": ("旧预测", "旧价值", "采样时的价值", "旧的价值预测"),
    },
    "returns_given": {
        "symbol": ("R_t", "R", "$R_t$"),
        "code": ("returns", "target", "ret"),
        "en": ("Return", "Target", "return target"),
        "zh": ("回报", "目标", "回报 R_t"),
    },
    "vpred_clipped": {
        "symbol": ("V_clip", "clip(V_new)", "$V^{clip}$"),
        "code": ("vpredclipped", "vpred_clipped", "v_clipped", "value_clipped"),
        "en": ("clipped prediction", "clipped value", "vpred clipped"),
        "zh": ("裁剪后的预测", "裁剪后的价值", "裁剪预测"),
    },
    "max_sq_err": {
        "symbol": ("max err²", "max((V-R)²,(Vc-R)²)"),
        "code": ("max_sq_err", "vf_losses", "vf_max", "max_squared_error"),
        "en": ("larger squared error", "max squared error", "max of the two squared errors"),
        "zh": ("较大的平方误差", "平方误差取大", "最大平方误差"),
    },
    "k1": {"symbol": ("k1", "k_1", "$k_1$"), "code": ("k1", "kl_k1"), "en": ("k1 estimator", "k1"), "zh": ("k1", "k1 估计")},
    "k2": {"symbol": ("k2", "k_2", "$k_2$"), "code": ("k2", "kl_k2"), "en": ("k2 estimator", "k2"), "zh": ("k2", "k2 估计")},
    "k3": {"symbol": ("k3", "k_3", "$k_3$"), "code": ("k3", "kl_k3", "low_var_kl"), "en": ("k3 estimator", "k3"), "zh": ("k3", "k3 估计")},
}  # fmt: skip

# how one number below a table is named
SCALARS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "mean": {"en": ("mean", "mean of A", "mean advantage"), "zh": ("均值", "A 的均值", "优势均值")},
    "std_sample": {"en": ("std", "std of A", "sample std"), "zh": ("标准差", "A 的标准差", "样本标准差")},
    "surrogate": {"en": ("surrogate", "mean surrogate", "surrogate objective"), "zh": ("代理目标", "代理目标均值")},
    "objective": {"en": ("objective", "mean objective", "PPO objective"), "zh": ("目标函数", "目标均值", "PPO 目标")},
    "clipfrac": {"en": ("clipfrac", "clip fraction", "pg_clipfrac"), "zh": ("裁剪比例", "clipfrac", "clip 比例")},
    "vf_loss": {"en": ("vf_loss", "value loss", "critic loss"), "zh": ("价值损失", "vf_loss", "critic 损失")},
}

SETTINGS: Mapping[str, tuple[str, ...]] = {  # {g} {l}
    "en": (
        "gamma={g}, lambda={l}", "γ = {g}, λ = {l}", "with gamma {g} and lam {l}", "$\\gamma={g}$, $\\lambda={l}$",
        "discount {g}, GAE lambda {l}", "gamma: {g}\nlam: {l}", "(γ={g}; λ={l})", "I used a discount factor of {g} and λ={l}.",
        "algorithm.gamma={g} algorithm.lam={l}", "γ is {g} and λ is {l}", "gae_lambda = {l}, gamma = {g}",
        "Hyperparameters: γ→{g}, λ→{l}",
    ),
    "zh": (
        "γ={g}，λ={l}", "gamma 取 {g}，lambda 取 {l}", "折扣因子 {g}，GAE 的 λ 是 {l}", "其中 γ 为 {g}、λ 为 {l}",
        "$\\gamma={g}$，$\\lambda={l}$", "（γ={g}，λ={l}）", "gamma={g} lam={l}", "折扣因子γ={g}，λ={l}。",
        "参数：gamma: {g}，lam: {l}", "λ={l}，γ={g}",
    ),
}  # fmt: skip
ONLY_GAMMA: Mapping[str, tuple[str, ...]] = {
    "en": ("gamma={g}", "γ = {g}", "with a discount of {g}", "discount factor: {g}"),
    "zh": ("γ={g}", "gamma 取 {g}", "折扣因子 {g}", "折扣因子为 {g}"),
}
BETAS: Mapping[str, tuple[str, ...]] = {
    "en": ("beta={b}", "β = {b}", "kl_coef={b}", "KL coefficient {b}", "with a KL coefficient of {b}"),
    "zh": ("β={b}", "beta 取 {b}", "KL 系数 {b}", "KL 惩罚系数为 {b}", "kl_coef={b}"),
}
EPSILONS: Mapping[str, tuple[str, ...]] = {
    "en": ("eps={e}", "ε = {e}", "clip_ratio={e}", "clip range {e}", "epsilon is {e}"),
    "zh": ("ε={e}", "clip_ratio={e}", "裁剪范围 {e}", "裁剪系数 ε 取 {e}", "epsilon 为 {e}"),
}
CLIPRANGES: Mapping[str, tuple[str, ...]] = {
    "en": ("cliprange_value={e}", "value clip range {e}", "with cliprange_value = {e}"),
    "zh": ("cliprange_value={e}", "价值裁剪范围 {e}", "价值裁剪宽度为 {e}"),
}
KINDS: Mapping[str, Mapping[str, tuple[str, ...]]] = {  # what is said of a sheet that its columns don't
    "grpo": {"en": ("GRPO, one group of {n} responses", "GRPO group advantages"), "zh": ("GRPO，一组 {n} 个回答", "GRPO 组内优势")},
    "rloo": {"en": ("RLOO, one prompt with {n} samples", "RLOO leave-one-out advantages"), "zh": ("RLOO，同一 prompt 的 {n} 个回答", "RLOO 留一法")},
    "whiten": {"en": ("advantages before and after whitening", "whitening as in verl"), "zh": ("白化前后的优势", "优势白化（verl 的做法）")},
    "value_loss": {"en": ("value loss with clipping", "critic loss, clipped"), "zh": ("带裁剪的价值损失", "critic 损失")},
    "clip": {"en": ("PPO clip", "clipped surrogate"), "zh": ("PPO 裁剪", "裁剪目标")},
    "surrogate": {"en": ("importance ratios", "the surrogate before clipping"), "zh": ("重要性比率", "未裁剪的代理目标")},
    "kl_estimators": {"en": ("KL estimators per token", "k1/k2/k3"), "zh": ("各个 KL 估计", "k1、k2、k3 三种估计")},
    "kl_rewards": {"en": ("KL-shaped rewards", "rewards after the KL penalty"), "zh": ("扣掉 KL 的奖励", "KL 惩罚后的奖励")},
    "gae": {"en": ("GAE by hand", "one response, token by token", "my GAE numbers"), "zh": ("手算 GAE", "一条回答逐 token", "我的 GAE 数字")},
    "mc": {"en": ("Monte Carlo returns", "reward-to-go by hand"), "zh": ("蒙特卡洛回报", "手算折扣回报")},
}  # fmt: skip

ASKS: Mapping[str, tuple[str, ...]] = {
    "en": (
        "Is this right?", "Can you check this?", "Which row is wrong?", "Did I make a mistake somewhere?", "please verify",
        "Are these numbers correct?", "Does this table look right to you?", "A blog has this, can I trust it?",
        "Spot the error, if there is one.", "ChatGPT gave me this. Correct?", "double-check my table please",
        "Anything off here?", "check my homework", "Where is the bug?", "Could you audit these numbers?", "",
        "Is every entry right?", "I think something is off here.", "sanity check this for me",
        "Which of these cells are wrong, and why?",
    ),
    "zh": (
        "对吗？", "帮我检查一下", "哪一行错了？", "这样算对不对", "请核对", "有没有算错的地方？", "这张表有问题吗？",
        "帮我看看哪里不对", "这些数字靠谱吗", "找出错误", "麻烦验算一下", "别人给我的，对吗？", "检查一下这组数", "",
        "哪个数有问题？", "我算得对吗？", "帮忙审一下", "请问这里面有错吗？", "这是 ChatGPT 给的，正确吗？", "看看有没有错",
    ),
}  # fmt: skip
OPENINGS: Mapping[str, tuple[str, ...]] = {
    "en": (
        "", "", "Here is what I have:", "Hi! I worked through an example.", "From a tutorial I am reading:",
        "My notes from yesterday:", "I computed the following.", "Our logs print this for one response.",
        "We train with 2 GPUs and 8 samples; this is one of them.",
    ),
    "zh": (
        "", "", "这是我算的：", "你好，我手算了一个例子。", "教程里有这么一张表：", "我的笔记：", "下面是我的结果。",
        "日志里打印了这些。", "我们用 2 张卡、每组 8 个样本，这是其中一条。",
    ),
}  # fmt: skip
INDEX = {"en": ("t", "step", "#", "idx", "position", "i", "token_idx", "$t$"), "zh": ("t", "步", "序号", "位置", "时刻", "i", "第几步", "$t$")}  # fmt: skip
MEMBER = {"en": ("i", "#", "response", "sample", "idx"), "zh": ("i", "序号", "回答", "样本", "编号")}
TOKEN = {"en": ("token", "Token", "word", "tok"), "zh": ("token", "词", "词元", "Token")}
WORDS = {
    "en": ("The", "sky", "is", "blue", "because", "of", "light", ".", "<eos>", "42", "!"),
    "zh": ("今天", "天气", "很", "好", "，", "出门", "吧", "。", "<eos>", "2", "等于"),
}
