// The page of an event, kept up to date.

import { gameList } from "./gamelist.js";
import { follow } from "./live.js";
import { parts, renew } from "./page.js";

const root = document.querySelector("article.event");
const part = parts(root);
const load = gameList(root.querySelector("#games"), root.dataset.event);
let shown = { state: part("state").textContent, done: Number(root.dataset.done) };
let waiting, pause = 0, again;

// later renews the page soon, and less often if renewing takes long.
function later() {
	again = true; // also during a renewal: its answer may be old
	waiting ??= setTimeout(async () => {
		const begun = performance.now();
		again = false;
		const all = await renew("[data-swap]");
		pause = Math.max(1500, 10 * (performance.now() - begun));
		waiting = null;
		if (again || !all) later();
	}, pause);
}

if ("live" in root.dataset) {
	const stream = follow(`/api/events/${root.dataset.event}/live?seen=${root.dataset.live}`, {
		state: (now) => {
			if (now.state !== shown.state) part("announcer").textContent = `The event is ${now.state}.`;
			if (now.done !== shown.done) load();
			shown = now;
			later();
		},
		end: () => stream.close(),
	});
}
