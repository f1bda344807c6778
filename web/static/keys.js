// The key ? shows the keys, on every page.

const dialog = document.getElementById("keys");
const opener = document.getElementById("keys-open");

// typing reports whether a key belongs to the field in which somebody writes, or to the browser.
export const typing = (event) => event.ctrlKey || event.metaKey || event.altKey ||
  !!event.target.matches?.("input:not([type=range]), select, textarea") || !!document.querySelector("dialog[open]");

if (dialog && opener) {
  opener.hidden = false;
  opener.querySelector("button").addEventListener("click", () => dialog.showModal());
  document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || typing(event)) return;
    event.preventDefault();
    dialog.showModal();
  });
}
