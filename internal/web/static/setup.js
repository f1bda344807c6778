// Setting up a position: each press changes the page in place.

import { onLinks } from "./keys.js";
import { piece, swap } from "./page.js";

let pressed = Promise.resolve();
onLinks(document, ".study a", ({ dataset: { play } }) => {
	pressed = pressed.then(async () => {
		const href = document.querySelector(`.study [data-play="${play}"]`)?.href;
		if (!href) return; // an earlier press has removed the link
		try {
			swap(await piece(href), ".study");
			history.replaceState(null, "", href);
		} catch {
			location.assign(href); // the browser shows the error
		}
	});
});
