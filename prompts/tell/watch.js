() => {
  let pinned = null;
  for (const hand of ["wheel", "touchmove", "keydown", "pointerdown"])
    addEventListener(hand, () => { pinned = null; }, { passive: true, capture: true });
  new MutationObserver((changes) => {
    for (const plot of document.querySelectorAll(".js-plotly-plot:not([role])"))
      Object.assign(plot, { role: "img", ariaLabel: plot.layout.meta });
    const log = document.querySelector("#chat [role=log]");
    if (!log || !changes.some((change) => log.contains(change.target))) return;
    const rows = document.querySelectorAll("#chat .user-row, #chat .bot-row");
    const last = rows[rows.length - 1];
    if (last && last.classList.contains("user-row")) pinned = last;
    if (pinned) log.scrollTop += pinned.getBoundingClientRect().top - log.getBoundingClientRect().top - 12;
  }).observe(document.body, { childList: true, subtree: true });
}
