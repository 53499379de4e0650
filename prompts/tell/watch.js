() => {
  let pinned = null;
  for (const hand of ["wheel", "touchmove", "keydown", "pointerdown"])
    addEventListener(hand, () => { pinned = null; }, { passive: true, capture: true });
  new MutationObserver((changes) => {
    for (const drawing of document.querySelectorAll("svg.drawing:not([role])")) {  // what the page's own cleaning took
      drawing.setAttribute("viewBox", `0 0 ${drawing.getAttribute("width")} ${drawing.getAttribute("height")}`);
      drawing.setAttribute("role", "img");
    }
    const log = document.querySelector("#chat [role=log]");
    if (!log || !changes.some((change) => log.contains(change.target))) return;
    const rows = document.querySelectorAll("#chat .user-row, #chat .bot-row");
    const last = rows[rows.length - 1];
    if (last && last.classList.contains("user-row")) pinned = last;
    if (pinned) log.scrollTop += pinned.getBoundingClientRect().top - log.getBoundingClientRect().top - 12;
  }).observe(document.body, { childList: true, subtree: true });
}
