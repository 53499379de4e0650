() => {  // a picture that is pasted, dropped or chosen is read by the server and comes back as text in the box
  const KINDS = ["image/png", "image/jpeg", "image/webp"], MOST = 4 * 1024 * 1024;
  let sending = "", going = false;
  const words = () => JSON.parse(document.querySelector("#picture [data-words]")?.dataset.words ?? "{}");
  const say = (text) => {
    const place = document.querySelector("#picture [role=status]");
    if (place) place.textContent = text;
  };
  const send = (file) => {
    if (going) return;
    if (!KINDS.includes(file.type)) return say(words().bad);
    if (file.size > MOST) return say(words().large);
    const reader = new FileReader();
    reader.onload = () => { sending = reader.result; document.querySelector("#send_picture").click(); };
    reader.onerror = () => say(words().bad);
    going = true;
    say(words().reading);
    reader.readAsDataURL(file);
  };
  window.telescope.picture = () => { const now = sending; sending = ""; return now; };
  window.telescope.seen = (json) => {
    going = false;
    if (!json) { say(words().again); return ""; }
    const { text, said } = JSON.parse(json);
    const box = document.querySelector("#box textarea");
    if (text && box) {
      const gap = box.value && !box.value.endsWith("\n") ? "\n\n" : "";
      box.value += gap + text;
      box.dispatchEvent(new Event("input", { bubbles: true }));
      box.focus();
      box.setSelectionRange(0, 0);
      box.scrollTop = 0;
    }
    say(said);
    return "";
  };
  const among = (data) => [...(data?.files ?? [])].find((file) => file.type.startsWith("image/"));
  document.addEventListener("paste", (event) => {
    const file = among(event.clipboardData);
    if (!file || event.clipboardData.getData("text/plain")) return;  // a table that is copied comes as text too
    event.preventDefault();
    send(file);
  });
  document.addEventListener("dragover", (event) => {
    if ([...(event.dataTransfer?.types ?? [])].includes("Files")) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    const file = event.dataTransfer?.files?.[0];
    if (!file) return;
    event.preventDefault();
    send(file);
  });
  document.addEventListener("change", (event) => {
    if (!event.target.matches?.("#picture input[type=file]")) return;
    const [file] = event.target.files;
    event.target.value = "";
    if (file) send(file);
  });
}
