// The board of a game for other sites.

import { Film, steer } from "./film.js";
import { Screen, watch } from "./watch.js";

const root = document.querySelector("[data-tv]"), { game, ply, live } = root.dataset;
const screen = new Screen(root), scenes = root.querySelectorAll("[data-scene]");

// The site around the frame can give it the height of the page.
new ResizeObserver(() => parent.postMessage({ versus2048: { height: document.documentElement.scrollHeight } }, "*")).observe(document.body);
if (live !== undefined) {
	const stream = watch(screen, `/api/games/${game}/live?seen=${game}-${ply}`, { over: () => stream.close() });
} else if (scenes.length) {
	const film = new Film(scenes, (...shown) => screen.play(...shown));
	film.start();
	steer(screen.part("pause"), [film]);
}
