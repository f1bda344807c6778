// The page of an event, kept up to date.

import { gameList } from "./gamelist.js";
import { follow } from "./live.js";
import { parts, renewing } from "./page.js";

const root = document.querySelector("article.event"), part = parts(root);
const load = gameList(root.querySelector("#games"), root.dataset.event), renew = renewing("[data-swap]");
let shown = { state: part("state").textContent, done: Number(root.dataset.done) };

if ("live" in root.dataset) {
	follow(`/api/events/${root.dataset.event}/live?seen=${root.dataset.live}`, {
		state: (now) => {
			if (now.state !== shown.state) part("announcer").textContent = `The event is ${now.state}.`;
			if (now.done !== shown.done) load();
			shown = now;
			renew();
		},
	});
}
