// Setting up a position: a press changes the page in place, after those before it.

import { onLinks } from "./keys.js";
import { made, swap } from "./page.js";

let pressed = Promise.resolve();
onLinks(document, ".study a", ({ dataset: { play } }) => {
	pressed = pressed.then(async () => {
		const href = document.querySelector(`.study [data-play="${play}"]`)?.href;
		if (!href) return; // a press before took the link away
		try {
			swap(await made(href), ".study");
			history.replaceState(null, "", href);
		} catch {
			location.assign(href); // the browser says what is wrong
		}
	});
});
