// Setting up a position: a press changes the page in place, after those before it.

import { onLinks } from "./keys.js";
import { made, swap } from "./page.js";

let pressed = Promise.resolve();
onLinks(document, ".study a", ({ dataset: { play } }) => {
	pressed = pressed.then(async () => {
		const { href } = document.querySelector(`.study [data-play="${play}"]`);
		const page = await made(href).catch(() => location.assign(href));
		history.replaceState(null, "", href);
		swap(page, ".study");
	});
});
