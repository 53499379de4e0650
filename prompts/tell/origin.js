() => {  // where a number in the last answer comes from, as the workbench tells it: on hovering, by the keyboard, on a tap
  const tip = Object.assign(document.createElement("div"), { className: "origin", hidden: true });
  tip.setAttribute("role", "status");
  document.body.append(tip);
  const CELL = "#chat td[data-from]", REST = 150, EXACT = 1e-12;
  let told = {}, hiding = 0, later = 0, now = null;

  const quantity = (head, heads) => {  // a column's: its head is one symbol at t and nothing else
    const more = head.cloneNode(true), formula = head.querySelector("annotation")?.textContent ?? "";
    for (const one of more.querySelectorAll(".katex")) one.remove();
    return more.textContent.trim() ? undefined : formula === "t" ? "t" : formula.endsWith("_t") ? heads[formula.slice(0, -2)] : undefined;
  };
  const agrees = (text, number) => Math.abs(number - text) <= 0.5 * 10 ** -(text.split(".")[1] ?? "").length + EXACT;
  // A table is of the workbench's numbers where all of it is that can be compared: another response's is not.
  const cells = (table, { heads, numbers }) => {
    const names = [...table.querySelectorAll("thead th")].map((head) => quantity(head, heads));
    if (names[0] !== "t") return [];
    const found = [...table.querySelectorAll("tbody tr")].flatMap(({ children: [first, ...others] }) =>
      others.map((cell, i) => ({ cell, text: cell.textContent.trim(), at: `${names[i + 1]}.${first.textContent.trim()}` })))
      .filter(({ text, at }) => text && !isNaN(text) && numbers[at] !== undefined);
    return found.every(({ text, at }) => agrees(text, numbers[at])) ? found : [];
  };
  const trace = async () => {
    const found = await window.bench?.working().catch(() => null);
    if (!found?.numbers) return;
    told = found.told;
    for (const cell of document.querySelectorAll(CELL)) { cell.removeAttribute("data-from"); cell.removeAttribute("tabindex"); }
    const last = [...document.querySelectorAll("#chat .bot .md")].at(-1);
    for (const table of last?.querySelectorAll("table") ?? [])
      cells(table, found).forEach(({ cell, at }, i) => { cell.dataset.from = at; cell.tabIndex = i ? -1 : 0; });
  };

  const show = (cell) => {
    clearTimeout(hiding);
    const lines = told[cell.dataset.from] ?? [];
    if (!lines.length || now === cell) return;
    now = cell;
    tip.replaceChildren(...lines.map((line) => Object.assign(document.createElement("p"), { textContent: line })));
    tip.hidden = false;
    const { left, top, bottom } = cell.getBoundingClientRect(), { offsetWidth: wide, offsetHeight: high } = tip;
    tip.style.left = `${Math.max(8, Math.min(left, innerWidth - wide - 8))}px`;
    tip.style.top = `${bottom + high + 12 < innerHeight ? bottom + 6 : Math.max(8, top - high - 6)}px`;
  };
  const hide = () => { now = null; tip.hidden = true; };
  const leave = () => { clearTimeout(hiding); hiding = setTimeout(hide, REST); };
  for (const kind of ["pointerover", "focusin", "click"])
    document.addEventListener(kind, ({ target }) => {
      const cell = target.closest?.(CELL);
      if (cell) show(cell);
      else if (tip.contains(target)) clearTimeout(hiding);
      else if (now) leave();
    });
  document.addEventListener("scroll", hide, true);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
    const cell = document.activeElement.closest?.(CELL);
    const [across, down] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [];
    if (!cell || across === undefined) return;
    event.preventDefault();
    const rows = [...cell.closest("tbody").rows], row = rows[rows.indexOf(cell.parentNode) + down];
    let next = row?.cells[cell.cellIndex + across];
    while (next && !next.dataset.from) next = across ? row.cells[next.cellIndex + across] : null;
    if (!next) return;
    cell.tabIndex = -1;
    next.tabIndex = 0;
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest", inline: "nearest" });
    show(next);
  });
  const soon = () => { clearTimeout(later); later = setTimeout(trace, 2 * REST); };
  document.addEventListener("bench", soon);
  new MutationObserver((changes) => {
    if (changes.some(({ target }) => target.closest?.("#chat .bot-row, #chat [role=log]"))) soon();
  }).observe(document.body, { childList: true, subtree: true });
}
