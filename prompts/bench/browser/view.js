// The workbench in the browser: what is typed goes to the server as edits, what comes back is put in its place.
const room = element.querySelector(".bench") || element;
room.innerHTML = ["begin", "note", "table", "tabs", "sliders", "drawing", "own", "told"]
  .map((part) => `<div data-part="${part}"${part === "note" || part === "told" ? ' aria-live="polite"' : ""}></div>`).join("");
const part = (name) => room.querySelector(`[data-part="${name}"]`);
const known = { text: "", language: document.documentElement.lang.startsWith("zh") ? "zh" : "en", picture: "", mistake: "", whole: false, hidden: "", guesses: {} };
const past = [], ahead = [];
const edits = [];  // not yet sent
const REST = 350, PATIENCE = 900;  // milliseconds
let written = "";  // what stands around the texts of one's own, which are the learner's until the language changes
let sending = false, again = false, lastEdited = "", provenance = null, pointed = "";

const key = (edit) => [edit.do, edit.name, edit.t].join(".");
function edit(one) {
  const same = edits.findIndex((other) => key(other) === key(one));
  if (same >= 0) edits.splice(same, 1);
  edits.push(one);
  send();
}

async function send() {
  again = true;
  if (sending) return;
  sending = true;
  while (again) {
    again = false;
    const batch = edits.splice(0);
    try {
      took(await server.shown({ ...known, edits: batch }), batch);
    } catch (lost) {
      console.warn(lost);
      edits.unshift(...batch);
      refused(known.unreachable);
    }
  }
  sending = false;
}

function took(found, batch) {
  for (const cell of room.querySelectorAll("[aria-invalid]")) cell.removeAttribute("aria-invalid");
  if (found.error) {
    refused(found.error);
    const at = batch.map((one) => (one.do === "set" ? `[data-set="${one.name}"].number` : `[data-at="${one.name}.${one.t}"]`));
    if (at.length) room.querySelector(at[at.length - 1])?.setAttribute("aria-invalid", "true");
    return;
  }
  if (batch.length && found.text !== known.text) {
    const now = key(batch[batch.length - 1]);
    if (now !== lastEdited) past.push(known.text);
    lastEdited = now;
    ahead.length = 0;
    known.text = found.text;
    bench.text = found.text;
    settled();
  }
  show(found);
}
let settling = 0;
function settled() {  // the chat follows when the hand rests
  clearTimeout(settling);
  settling = setTimeout(() => trigger("edited"), REST);
}

function refused(why) {
  part("note").innerHTML = "<p class='refused'></p>";
  part("note").firstChild.textContent = why;
}

function show(found) {
  known.picture = found.picture;
  known.unreachable = found.unreachable;
  provenance = null;
  for (const [name, html] of Object.entries(found.parts)) if (name !== "own" || written !== (written = html)) put(part(name), html);
  hands();
  document.dispatchEvent(new Event("bench"));
  if (pointed) marked();
  clearTimeout(retelling);
  if (pointed) retelling = setTimeout(() => tell(pointed), REST);
}
let retelling = 0;

function hands() {
  const able = { undo: past.length, redo: ahead.length };
  for (const name in able) room.querySelector(`[data-do="${name}"]`)?.toggleAttribute("disabled", !able[name]);
}

// New HTML in the place of old: what is being typed into stays as it is.
function put(place, html) {
  const fresh = document.createElement("div");
  fresh.innerHTML = html;
  const at = document.activeElement, inside = place.contains(at);
  if (places(place) === places(fresh)) { patch(place, fresh, at); return; }
  const { value, selectionStart, selectionEnd } = at;
  place.replaceChildren(...fresh.childNodes);
  const again = inside && place.querySelector(address(at));
  if (!again) return;
  again.focus();
  if (again.localName === "input" && again.type !== "range") { again.value = value; again.setSelectionRange(selectionStart, selectionEnd); }
}
const places = (part) => [...part.querySelectorAll("input, select, button, td")].map(address).join();
const address = (one) => ["at", "set", "do", "picture"].filter((name) => one.dataset[name])
  .map((name) => `${one.localName}[data-${name}="${one.dataset[name]}"]`).join("") || "nothing";

function patch(old, fresh, at) {
  for (let i = 0; i < fresh.childNodes.length; i++) {
    const mine = old.childNodes[i], theirs = fresh.childNodes[i];
    if (!mine) { old.append(theirs.cloneNode(true)); continue; }
    if (mine.nodeType !== theirs.nodeType || mine.nodeName !== theirs.nodeName) { mine.replaceWith(theirs.cloneNode(true)); continue; }
    if (mine.nodeType !== 1) { if (mine.data !== theirs.data) mine.data = theirs.data; continue; }
    if (mine.localName === "select" && mine.innerHTML !== theirs.innerHTML) mine.innerHTML = theirs.innerHTML;
    for (const { name } of [...mine.attributes]) if (!theirs.hasAttribute(name) && name !== "tabindex") mine.removeAttribute(name);
    for (const { name, value } of theirs.attributes) if (name !== "tabindex" || !mine.hasAttribute(name)) if (mine.getAttribute(name) !== value) mine.setAttribute(name, value);
    if (mine.localName === "input") { if (mine !== at || mine.type === "range" && !sliding) mine.value = theirs.value; continue; }
    if (mine.localName === "select") { mine.value = theirs.value; continue; }
    patch(mine, theirs, at);
  }
  while (old.childNodes.length > fresh.childNodes.length) old.lastChild.remove();
}

// What is typed, moved, chosen, pressed.
let sliding = false;
room.addEventListener("pointerdown", (event) => { sliding = event.target.type === "range"; });
addEventListener("pointerup", () => { sliding = false; });
room.addEventListener("input", ({ target }) => {
  if (target.dataset.guess) known.guesses[target.dataset.guess] = target.value;
  else if (target.dataset.set) {
    for (const other of room.querySelectorAll(`input[data-set="${target.dataset.set}"]`)) if (other !== target) other.value = target.value;
    edit({ do: "set", name: target.dataset.set, text: target.value });
  } else if (target.dataset.at) {
    const [name, t] = target.dataset.at.split(".");
    edit({ do: name === "token" ? "token" : "list", name, t: +t, text: target.value });
  }
});
room.addEventListener("change", ({ target }) => {
  if (target.dataset.do === "preset" && target.value) edit({ do: "preset", name: target.value });
  if (target.dataset.do === "mistake") { known.mistake = target.value; known.hidden = ""; send(); }
  if (target.dataset.do === "predict") { known.hidden = target.value; known.mistake = ""; known.guesses = {}; send().then(() => part("table").querySelector("[data-guess]")?.focus()); }
  if (target.dataset.guess) send();  // what is half typed is not judged
});
room.addEventListener("click", ({ target }) => {
  const pressed = target.closest("button");
  if (!pressed) return;
  if (pressed.dataset.picture) { known.picture = pressed.dataset.picture; send(); }
  else if (pressed.dataset.do === "rows") { known.whole = !known.whole; send(); }
  else if (pressed.dataset.do === "undo") back(past, ahead);
  else if (pressed.dataset.do === "redo") back(ahead, past);
  else if (pressed.dataset.do === "explain") { bench.question = pressed.dataset.question; trigger("asked"); }
  else if (pressed.dataset.do === "tokens") edit({ do: "tokens", ...texts() });
  else if (pressed.dataset.do === "run") { bench.wanted = { ...known, ...texts() }; running(true); trigger("run"); }
  else if (pressed.dataset.do === "halt") { running(false); trigger("halt"); }
  else if (pressed.dataset.do) edit({ do: pressed.dataset.do });
});
room.addEventListener("focusout", ({ target }) => {
  if (target.dataset.at && (lastEdited || target.hasAttribute("aria-invalid"))) send();
  lastEdited = "";
});
room.addEventListener("paste", (event) => {
  const { target } = event;
  const text = event.clipboardData.getData("text").trim();
  if (!target.dataset.at || target.dataset.at.startsWith("token") || !/[\s,;，；、]/.test(text)) return;
  event.preventDefault();
  const [name, t] = target.dataset.at.split(".");
  if (!target.dataset.guess) edit({ do: "list", name, t: +t, text });
  else text.split(/[\s,;，；、|]+/).forEach((one, i) => { known.guesses[+t + i] = one; });
  target.blur();
  if (target.dataset.guess) send();
});
function back(from, to) {
  if (!from.length) return;
  to.push(known.text);
  known.text = bench.text = from.pop();
  lastEdited = "";
  send();
  settled();
}

// Values and rewards are moved in the picture: by hand, or with the keys of a slider.
let drag = null;
const moves = (handle) => {
  const most = +handle.ariaValueMax, step = 10 ** Math.floor(Math.log10(most) - 1.5), at = handle.dataset.at, [name, t] = at.split(".");
  const to = (x) => {
    const kept = Math.min(most, Math.max(-most, Math.round(x / step) * step));
    edit({ do: "list", name, t: +t, text: kept.toFixed(Math.max(0, -Math.floor(Math.log10(step)))) });
  };
  return { at, from: +handle.ariaValueNow, step, to };
};
room.addEventListener("pointerdown", (event) => {
  const handle = event.target.closest(".handle");
  if (!handle || event.button) return;
  event.preventDefault();
  handle.focus({ preventScroll: true });
  room.setPointerCapture(event.pointerId);
  const { height } = handle.ownerSVGElement.getBoundingClientRect();
  lastEdited = "";
  drag = { ...moves(handle), y: event.clientY, scale: handle.dataset.scale * height / handle.ownerSVGElement.viewBox.baseVal.height };
});
room.addEventListener("pointermove", (event) => { if (drag) drag.to(drag.from + (drag.y - event.clientY) / drag.scale); });
for (const end of ["pointerup", "pointercancel"]) room.addEventListener(end, () => { drag = null; });
function moved(event, handle) {
  const by = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key], along = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!by && !along) return;
  event.preventDefault();
  if (by) { const one = moves(handle); one.to(one.from + by * one.step); return; }
  const all = [...part("drawing").querySelectorAll(`.handle[data-at^="${handle.dataset.at.split(".")[0]}."]`)];
  const next = all[all.indexOf(handle) + along];
  if (!next) return;
  for (const one of all) one.setAttribute("tabindex", one === next ? 0 : -1);
  next.focus();
}

// A prompt and a response of one's own.
const texts = () => Object.fromEntries([...part("own").querySelectorAll("textarea")].map((one) => [one.dataset.own, one.value]));
function running(going, told = "", share = null) {
  const bar = part("own").querySelector("progress");
  bar.hidden = !going;
  share === null ? bar.removeAttribute("value") : bar.value = share;
  part("own").querySelector("[role=status]").textContent = told;
  for (const name of ["run", "halt"]) part("own").querySelector(`[data-do=${name}]`).hidden = going === (name === "run");
}

// Arrow keys go from number to number.
room.addEventListener("keydown", (event) => {
  const { target } = event;
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
    event.preventDefault();
    event.shiftKey ? back(ahead, past) : back(past, ahead);
    return;
  }
  if (!target.dataset.at) return;
  if (target.matches(".handle")) { moved(event, target); return; }
  const [name, t] = target.dataset.at.split(".");
  const typing = target.localName === "input";
  const first = !typing || target.selectionStart === 0 && target.selectionEnd === 0;
  const last = !typing || target.selectionStart === target.value.length;
  let next = null;
  const along = event.key === "ArrowRight" && last || event.key === "Enter" && target.dataset.guess;
  if (along) next = part("table").querySelector(`[data-at="${name}.${+t + 1}"]`);
  if (event.key === "ArrowLeft" && first) next = part("table").querySelector(`[data-at="${name}.${+t - 1}"]`);
  if (!along && ["ArrowUp", "ArrowDown", "Enter"].includes(event.key)) {
    const column = [...part("table").querySelectorAll(`[data-at$=".${t}"]`)];
    next = column[column.indexOf(target) + (event.key === "ArrowUp" ? -1 : 1)];
  }
  if (!next) return;
  event.preventDefault();
  if (target.dataset.guess) setTimeout(() => next.select?.());
  for (const other of part("table").querySelectorAll(`[data-at^="${next.dataset.at.split(".")[0]}."]`)) if (other.localName === "td") other.tabIndex = -1;
  if (next.localName === "td") next.tabIndex = 0;
  next.focus();
  next.select?.();
});

// Where a number comes from.
for (const kind of ["pointerover", "focusin", "click"])
  room.addEventListener(kind, ({ target }) => {
    const cell = target.closest("[data-at]") || target.closest("td")?.querySelector("[data-at]");
    if (cell && !drag) tell(cell.dataset.at);
  });
for (const kind of ["pointerover", "focusin"])
  room.addEventListener(kind, ({ target }) => {
    const moved = (target.closest(".slider")?.dataset.acts || "").split(" ");
    for (const row of part("table").querySelectorAll("tr")) row.classList.toggle("moved", moved.includes(row.dataset.row));
  });
// What was pointed at is put away when the pointer has left for good.
let leaving = 0;
for (const name of ["table", "drawing", "told"]) part(name).addEventListener("pointerleave", leave);
for (const name of ["table", "drawing"]) part(name).addEventListener("focusout", leave);
part("told").addEventListener("pointerenter", () => clearTimeout(leaving));
function leave() {
  clearTimeout(leaving);
  leaving = setTimeout(() => {
    const at = document.activeElement;
    if (!part("told").matches(":hover") && !part("told").contains(at)) tell(room.contains(at) && at.dataset.at || "");
  }, PATIENCE);
}
async function tell(at) {
  if (at) clearTimeout(leaving);
  pointed = at;
  const mine = bench.working();
  let found;
  try { found = await mine; } catch (lost) { provenance = null; return; }
  if (mine !== provenance || pointed !== at) return;
  const [name, t] = at.split(".");
  const lines = found.told[at] || [];
  part("told").replaceChildren(...lines.map((line) => Object.assign(document.createElement("p"), { textContent: line })));
  if (!lines.length) part("told").textContent = found.hint;
  const question = found.asks[name === "token" ? "advantages" : name];
  if (lines.length && question) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: found.explain, title: question });
    Object.assign(button.dataset, { do: "explain", question });
    part("told").prepend(button);
  }
  mark(name, +t, found);
}
function unmarked() {
  for (const cell of room.querySelectorAll(".pointed, .heard")) { cell.classList.remove("pointed", "heard"); cell.style.removeProperty("--heard"); }
}
let marked = () => {};  // once more, on what has been drawn anew
function mark(name, t, found) {
  marked = () => mark(name, t, found);
  unmarked();
  if (!name) return;
  for (const cell of part("table").querySelectorAll(`[data-at="${name}.${t}"]`)) (cell.closest("td, th")).classList.add("pointed");
  if (!["token", "advantages"].includes(name)) return;
  const real = [...part("table").querySelectorAll('td[data-at^="deltas."]:not(.off)')];
  const from = real.findIndex((cell) => cell.dataset.column == t);
  if (from >= 0) real.slice(from).forEach((cell, n) => { cell.classList.add("heard"); cell.style.setProperty("--heard", found.hears[n]); });
}

const bench = window.bench = {
  text: "", sent: null, question: "",
  working() { return provenance ??= server.working({ ...known }); },
  hear(text) {  // the chat brought other numbers
    if (text === known.text || text === bench.sent) return;
    bench.sent = null;  // what comes back later is no echo
    past.push(known.text);
    ahead.length = 0;
    lastEdited = "";
    known.text = bench.text = text;
    send();
  },
  ran(text) {
    if (!text || part("own").querySelector("progress").hidden) return;
    const found = JSON.parse(text);
    running(!found.text && !found.error, found.doing || found.error, found.share ?? null);
    if (!found.text || found.text === known.text) return;
    bench.hear(found.text);
    settled();
  },
  speak(language) { known.language = language; send(); },
};
send().then(() => tell(""));
