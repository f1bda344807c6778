// Setting up a position: a press changes the page in place.

import { onLinks } from "./keys.js";
import { made, swap } from "./page.js";

onLinks(document, ".study a", async ({ href }) => {
	const page = await made(href).catch(() => location.assign(href));
	history.replaceState(null, "", href);
	swap(page, ".study");
});
