() => {  // what Gradio leaves to be said: where the eye goes, what things are called, in which language words are
  let pinned = null;
  for (const hand of ["wheel", "touchmove", "keydown", "pointerdown"])
    addEventListener(hand, () => { pinned = null; }, { passive: true, capture: true });
  const chinese = /[\u3400-\u9fff]/g, letters = /[A-Za-z]{2,}/g;
  const spoken = (text) => (text.match(chinese) ?? []).length > (text.match(letters) ?? []).length ? "zh-CN" : "en";
  const called = (part, name) => { if (part && name && part.ariaLabel !== name) part.ariaLabel = part.title = name; };

  const name = () => {
    const said = window.telescope?.words() ?? {};
    called(document.querySelector("#box .submit-button"), said.send);
    called(document.querySelector("#box .stop-button"), said.stop);
    if (document.querySelector("#conversations:empty")) window.telescope?.list();
    document.querySelector("#chat .examples[role]")?.removeAttribute("role");
    for (const drawing of document.querySelectorAll("svg.drawing:not([role])")) {  // what the page's own cleaning took
      drawing.setAttribute("viewBox", `0 0 ${drawing.getAttribute("width")} ${drawing.getAttribute("height")}`);
      drawing.setAttribute("role", "img");
    }
    for (const head of document.querySelectorAll("#chat th:not([scope])")) {
      head.scope = "col";
      const formula = head.querySelector("annotation");
      if (formula) head.ariaLabel = formula.textContent;
    }
  };
  const mark = () => {  // after an answer has come
    for (const part of document.querySelectorAll("#chat .message .md")) {
      const text = part.textContent;
      if (part.dataset.length === String(text.length)) continue;
      part.dataset.length = text.length;
      part.lang = spoken(text);
      const whole = part.closest("[aria-label]");
      if (part.closest(".user") && whole) whole.ariaLabel = text.trim();
      if (part.closest(".user")) part.tabIndex = part.scrollHeight > part.clientHeight + 1 ? 0 : -1;
    }
  };
  const reach = () => {  // what scrolls within its own place, by the keyboard as well
    for (const part of document.querySelectorAll("#chat .bot .md :is(pre, table, .katex-display)"))
      if (part.clientWidth) part.toggleAttribute("tabindex", part.scrollWidth > part.clientWidth + 1) && (part.tabIndex = 0);
  };
  const decode = (box) => {  // a question that is edited is what was typed, not what Markdown is given
    if (box.dataset.seen || !box.value.includes("&#")) return;
    box.dataset.seen = "";
    const text = document.createElement("textarea");
    text.innerHTML = box.value;
    box.value = text.value;
    box.dispatchEvent(new Event("input", { bubbles: true }));
  };

  // The keyboard goes on from the question that a click has asked, and from the box where a question came back to it.
  let asked = null;
  document.addEventListener("click", (event) => {
    const by = event.target.closest?.("#chat :is(.example, .option), #chat .message-buttons-left button, #new");
    if (by) asked = by.closest(".message-buttons-left") || by.id === "new" ? "box" : "question";
  }, true);
  const follow = (rows) => {
    if (!asked || document.activeElement !== document.body) return;
    const question = [...rows].findLast((row) => row.classList.contains("user-row"));
    const touch = matchMedia("(hover: none)").matches;
    if (asked === "question" && question) { question.tabIndex = -1; question.focus({ preventScroll: true }); }
    else if (asked === "box" && !touch) document.querySelector("#box textarea")?.focus({ preventScroll: true });
    else return;
    asked = null;
  };

  let later = 0;
  document.addEventListener("toggle", reach, true);
  addEventListener("resize", reach);
  new MutationObserver((changes) => {
    name();
    clearTimeout(later);
    later = setTimeout(() => { mark(); reach(); }, 60);
    document.querySelectorAll("#chat .user-row textarea").forEach(decode);
    const log = document.querySelector("#chat [role=log]");
    const rows = document.querySelectorAll("#chat .user-row, #chat .bot-row");
    follow(rows);
    if (!log || !changes.some((change) => log.contains(change.target))) return;
    const last = rows[rows.length - 1];
    if (last && last.classList.contains("user-row")) pinned = last;
    if (pinned) log.scrollTop += pinned.getBoundingClientRect().top - log.getBoundingClientRect().top - 12;
  }).observe(document.body, { childList: true, subtree: true });
}
