"""Equations in messages: read in symbols and in words, settled, and told with numbers; prose is no equation."""

from __future__ import annotations

import pytest

from lessons._lesson import LANGUAGES
from prompts.read.relation import relation
from prompts.tutor import Request, answer

VERDICTS = {
    "难道不是 A_t = δ_t 吗": "depends",
    "A_t 总是等于 δ_t": "false",
    "A_t can equal δ_t, right?": "true",
    "A_t isn't δ_t": "depends",
    "λ=0 时 V_t + A_t 就是 r_t + γV_{t+1}，对不对？": "true",
    "So A_t = δ_t + γ*λ*A_{t+1}, right?": "true",
    r"A_t = \sum_{k} (\gamma\lambda)^k \delta_{t+k}, right?": "true",
    "returns = advantages + values": "true",
    "returns[t] = advantages[t] + values[t+1]": "false",
    "adv[:, t] == ret[:, t] - values[:, t]": "true",
    "the TD error equals r_t + gamma * V(s_{t+1}) - V(s_t)": "true",
    "δ_t = r_t + V_t - V_{t+1}": "false",
    "δ_t = r_t − V_t + γ V_{t−1}，是吧": "false",
    "A(t) = G(t) - V(t) when lambda = 1": "true",
    "A_t = G_t - V_t for any λ": "false",
    "R_t 不等于 G_t 吧": "depends",
    "λ=0.5 时 R_t 不等于 G_t 吧": "true",
    "Σ_t δ_t = G_0 − V_0": "depends",
    "the deltas sum to G_0 - V_0": "depends",
    "δ 加起来等于 G_0 − V_0，γ=1": "true",
    r"\sum_{k=0}^{T-1} \gamma^k \delta_k = G_0 - V_0": "true",
    "The plain sum δ_0 + δ_1 + … + δ_{T-1} equals G_0 − V_0.": "depends",
    "δ_0 + δ_1 + … + δ_{T-1} equals G_0 − V_0 at γ=1.": "true",
    "γ=1, λ=0.95: ΣA = G_0 - V_0": "false",
    "A_{T-1} = δ_{T-1}": "true",
    "A_t 等于 r_t 减 V_t": "false",
    "R_t = r_t + γ(1-λ)V_{t+1} + γλ R_{t+1}": "true",
    "the returns tensor equals the Monte Carlo return, true?": "depends",
    "按定义 A_t 就是 r_t − V_t": "false",
    "δ_t is defined as r_t + γV_{t+1} − V_t": "true",
    "delta_t is defined as r_t + gamma*V_{t-1} - V_t": "false",
    "The plain, unweighted sum of the deltas telescopes to G_0 - V_0.": "depends",
    "All the deltas added up equal G_0 − V_0": "depends",
    "advantages are returns minus values, elementwise": "true",
    "With λ=1 the advantage is the Monte Carlo return minus the value": "true",
    "rewards = scores − β·kl": "true",
    "k1 = logp − ref_logp": "true",
    "k1 = ref_logp − logp 对吧": "false",
    "ratio = exp(new_logp − old_logp)": "true",
    "ratio 是 π_old/π_new": "false",
    "the ratio is defined as π_new/π_old": "true",
}
# Formulas with functions, brackets and names of their own.
FORMULAS = {
    "ratio = exp(logp − old_logp)，没写反吧": "true",
    "ratio = exp(old_logp − logp)": "false",
    r"\rho_t = \frac{\pi_\theta(a_t|s_t)}{\pi_{\theta_{old}}(a_t|s_t)}": "true",
    "log_ratio = old_logp − new_logp": "false",
    "k2 = ½(logp − ref_logp)²": "true",
    "k2 = (logp − ref_logp)²": "false",
    "k3 = exp(ref_logp − logp) − (ref_logp − logp) − 1": "true",
    "k3 = exp(logp − ref_logp) − (logp − ref_logp) − 1": "false",
    "kl = old_log_prob − ref_log_prob": "true",
    "r_{T−1} = score − β·kl_{T−1}": "true",
    "reward = score + β·KL": "false",
    "the advantage is Q(s,a) − V(s)": "true",
    "优势的定义是 V(s_t) 减去 Q(s_t, a_t)": "false",
    "R_t = r_t + γ[(1−λ)V_{t+1} + λR_{t+1}]，这条递推没错吧": "true",
    "R_t = r_t + γ[λV_{t+1} + (1−λ)R_{t+1}]": "false",
    "A_t = δ_t = r_t − V_t when γ = 0": "true",
    "A_t = R_t − V_t = δ_t for every λ": "false",
    "λ=1 的话 returns 就是 MC return G_t": "true",
    "the return G_t equals the return R_t at λ=0": "false",
    "R_t = G_t holds only at λ=1": "true",
    "只有 λ=1 时 returns 才等于 G_t": "true",
    "A_t = δ_t only when γ = 1": "false",
    "A_t 从来不等于 δ_t": "false",
    "A_t 不总是等于 δ_t": "true",
    "γ=0.9 时，不打折的 Σδ 也等于 G_0 − V_0": "false",
    "At λ = 0.9, ΣA is the total excess": "false",
    "γ=1 时 G_0 就是总奖励": "true",
    "values[t] = returns[t] − advantages[t] (before whitening)": "true",
}
NUMBERS = {
    "rewards=[0,0,1], values=[0.2,0.5,0.8], γ=1: G − V gives the Monte Carlo advantages [0.8, 0.5, 0.2].": "true",
    "Score 1, KL 0.1 and beta 0.2: rewards=[0.98], right?": "true",
    "r = [1, 0, 2] and γ = 1 give the rewards-to-go [3, 3, 2], I think.": "false",
    "r=[0,0,1], V=[0.5,0.6,0.9], γ=λ=1, so the advantages are [0.5, 0.4, 0.1].": "true",
}
NONE = (
    "V(t) = r(t) + γ V(t+1)",  # of the exact V it is true, of the critic's it need not be
    "the mean of whitened A_t = 0",
    "E[A_t] = δ_t",
    "A_t = δ_t + γ λ δ_{t+1} + ...",
    "prove that A_t = G_t − V_t at λ=1",
    "why is A_t = δ_t wrong?",
    "γ = 1, λ = 0.95",
    "优势等于回报减价值",  # which return?
    "r=[0,0,1], V=[.1,.2,.3]",
    "A_t = δ_t and R_t = G_t",
    "V_t contains r_t",
    "V_t affects the clip fraction",
    "the values influence training",
    "A_t only depends on δ_t",
    "later values affect A_t and the weather",
    "A_t = x_t",
    "",
    "The clipped objective equals ratio·A",  # where nothing is clipped
    "A > 0 ⇒ Â > 0",
    "V + A = Q",  # of one sample, or on average
    "mean(ratio·A) = mean(A)",
    "Dr. GRPO 的 A = (r − mean)/std",
    "A is computed from δ",
    "returns 和 values 个数相同",
    "G_0 = G_1 = … = G_{T−1}",
    "优势 δ = 折扣 A",
    "A := R_t − V_t",
)


@pytest.mark.parametrize("message", VERDICTS)
def test_verdicts(message):
    assert answer(Request((message,))).verdict in (VERDICTS[message], None)


@pytest.mark.parametrize("message", FORMULAS)
def test_formulas(message):
    assert relation(message) is not None
    assert answer(Request((message,))).verdict in (FORMULAS[message], None)


@pytest.mark.parametrize("message", NUMBERS)
def test_stated_numbers_are_computed(message):
    assert answer(Request((message,))).verdict in (NUMBERS[message], None)


@pytest.mark.parametrize("message", NONE)
def test_no_equation(message):
    assert relation(message) is None


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_shows_both_sides(lang):
    page = answer(Request(("A_t = δ_t, right?",), lang=lang)).markdown
    assert r"A_{t} = \delta_{t}" in "".join(page.split("\n\n")[:3])
    assert "0.621" in page and "0.04" in page


def test_the_learners_own_numbers_are_the_witness():
    page = answer(Request(("r=[0,1] V=[.3,.6] γ=0.5 λ=0.95, R_t = G_t?",))).markdown
    assert "0.49" in "".join(page.split("\n\n")[:3]) and "0.5" in "".join(page.split("\n\n")[:3])


def test_a_list_of_zeros_shows_no_difference_so_another_one_does():
    page = answer(Request(("r=[0,0] V=[0,0] γ=1 λ=0.95, A_t = δ_t?",))).markdown
    assert "0.621081" in page
