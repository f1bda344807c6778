// The guide for bots: what the arena sees of one, as it happens.

import { follow } from "./live.js";
import { make } from "./page.js";

const form = document.querySelector("[data-look]");
const box = document.querySelector("[data-seen]");
let stream = null;

const count = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

function show({ bot, connected, games, faults, complaints, last }) {
	const found = `We see your bot: ${count(games, "game")}, ${count(faults, "fault")}, ${count(complaints, "wrong message")}${last ? `, last: ${last}` : ""}`;
	box.hidden = false;
	box.replaceChildren(make("bdi", {}, bot), `: ${connected ? found : "No bot of this name is connected. This changes when it comes."}`);
}

function look() {
	const bot = form.elements.bot.value.trim();
	stream?.close();
	if (bot) stream = follow(`/api/seen?bot=${encodeURIComponent(bot)}`, { seen: show });
}

form.addEventListener("submit", (event) => { event.preventDefault(); look(); });
look();
