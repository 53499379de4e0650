() => {  // what stays in this browser, and what leaves it by the visitor's own hand
  const KEPT = "telescope.conversations", LANGUAGE = "telescope.language", NOW = "telescope.now";
  const MOST = 40, LARGEST = 2_000_000, NAME = 60;  // conversations, characters of all of them, and of a name
  const stored = (store, key) => { try { return window[store].getItem(key); } catch { return null; } };
  const store = (where, key, text) => { try { window[where].setItem(key, text); return true; } catch { return false; } };
  const words = () => JSON.parse(document.querySelector("#words [data-words]")?.dataset.words ?? "{}");
  const everything = () => { try { return JSON.parse(stored("localStorage", KEPT)) ?? []; } catch { return []; } };
  const fresh = () => `${Date.now()}-${Math.random().toString(36).slice(2, 8)}`;
  const plain = (content) => [content].flat().map((part) => part?.text ?? part).join("");
  const typed = (text) => { const box = document.createElement("textarea"); box.innerHTML = text; return box.value; };
  let now = stored("sessionStorage", NOW) ?? fresh(), wanted = null;

  const write = (all) => {
    let kept = all.slice(0, MOST);
    while (kept.length > 1 && JSON.stringify(kept).length > LARGEST) kept.pop();
    while (kept.length && !store("localStorage", KEPT, JSON.stringify(kept))) kept.pop();
    if (!kept.length) store("localStorage", KEPT, "[]");
    list();
  };
  const list = () => {
    const place = document.querySelector("#conversations"), said = words(), all = everything();
    if (!place || !said.kept) return;
    const can = store("localStorage", `${KEPT}.can`, "");
    const line = document.createElement("p");
    line.textContent = !can ? said.not_kept : all.length ? said.kept : said.none_kept;
    const entries = all.map(({ id, name, when }) => {
      const row = document.createElement("li"), open = document.createElement("button");
      const gone = document.createElement("button"), day = document.createElement("time");
      open.textContent = name;
      open.setAttribute("aria-current", String(id === now));
      day.textContent = new Date(when).toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
      gone.textContent = "×";
      gone.setAttribute("aria-label", `${said.remove}: ${name}`);
      open.onclick = () => { wanted = id; document.querySelector("#restore").click(); };
      gone.onclick = () => write(everything().filter((one) => one.id !== id));
      row.append(open, day, gone);
      return row;
    });
    const rows = document.createElement("ul");
    rows.append(...entries);
    place.replaceChildren(line, rows);
  };
  const enter = (id) => { now = id; store("sessionStorage", NOW, id); };

  window.telescope = {
    words,
    language: () => stored("localStorage", LANGUAGE),
    speak: (language) => {
      document.documentElement.lang = language === "zh" ? "zh-CN" : language;
      setTimeout(list);
    },
    choose: (language) => { store("localStorage", LANGUAGE, language); },
    keep: (turns, scenario) => {
      const first = turns?.find((turn) => turn.role === "user");
      if (!first) return;
      const others = everything().filter((one) => one.id !== now);
      enter(now);
      write([{ id: now, name: typed(plain(first.content)).slice(0, NAME), when: Date.now(), turns, scenario }, ...others]);
    },
    begin: () => { enter(fresh()); list(); },
    list,
    restored: () => {
      const found = everything().find((one) => one.id === wanted);
      if (found) { enter(found.id); list(); }
      return [found?.turns ?? [], found?.scenario ?? ""];
    },
    opened: () => {  // after a reload, or a restart of the server, the conversation goes on
      const asked = new URLSearchParams(location.search), ahead = -new Date().getTimezoneOffset();
      const found = asked.get("q") || asked.get("s") ? null : everything().find((one) => one.id === now);
      if (!found) enter(fresh());
      setTimeout(list);
      return [ahead, found?.turns ?? [], found?.scenario ?? ""];
    },
    save: (json) => {
      if (!json) return;
      const { name, text } = JSON.parse(json), link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
      link.download = name;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    },
    whole: (found) => ({ __type__: "update", visible: true,
      value: found?.startsWith("?") ? location.origin + location.pathname + found : found }),
  };

  // What is copied is the Markdown of what is seen: no drawing's source, no markup of folds; a formula is its LaTeX.
  const readable = (text) => text
    .replace(/<div><svg[\s\S]*?<title[^>]*>([\s\S]*?)<\/title>[\s\S]*?<\/svg><\/div>/g, (_, title) => `*${typed(title)}*`)
    .replace(/<details><summary>([\s\S]*?)<\/summary>/g, "#### $1").replace(/<\/details>/g, "")
    .replace(/<div class="read">\s*([\s\S]*?)\s*<\/div>/g, "$1").replace(/&#\d+;/g, typed)
    .replace(/\u2060/g, "").replace(/\n{3,}/g, "\n\n").trim();
  const clipboard = navigator.clipboard;
  if (clipboard) {
    const write = clipboard.writeText.bind(clipboard);
    clipboard.writeText = (text) => write(/<svg|<details>|<div class="read">|&#\d+;/.test(text) ? readable(text) : text);
  }
  document.addEventListener("copy", (event) => {
    const chosen = getSelection();
    if (!chosen.rangeCount || !event.clipboardData) return;
    const part = chosen.getRangeAt(0).cloneContents();
    const formulas = part.querySelectorAll(".katex");
    if (!formulas.length) return;
    for (const formula of formulas)
      formula.replaceWith(`\\(${formula.querySelector("annotation")?.textContent ?? formula.textContent}\\)`);
    event.clipboardData.setData("text/plain", part.textContent);
    event.preventDefault();
  });
}
