// The guide for bots: what the arena sees of one, as it happens.

import { follow } from "./live.js";

const form = document.querySelector("[data-look]");
const box = document.querySelector("[data-seen]");
let stream = null;

const count = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

function show(seen) {
  box.hidden = false;
  const parts = [`${count(seen.games, "game")}`, `${count(seen.faults, "fault")}`, `${count(seen.complaints, "wrong message")}`];
  const name = document.createElement("bdi");
  name.textContent = seen.bot;
  const text = seen.connected ? `We see your bot: ${parts.join(", ")}${seen.last ? `, last: ${seen.last}` : ""}` : "No bot of this name is connected. This changes when it comes.";
  box.replaceChildren(name, document.createTextNode(`: ${text}`));
}

function look(bot) {
  stream?.close();
  if (bot) stream = follow(`/api/seen?bot=${encodeURIComponent(bot)}`, { seen: show });
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  look(form.elements.bot.value.trim());
});
look(form.elements.bot.value.trim());
