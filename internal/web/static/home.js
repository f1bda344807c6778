// The first page: a game in progress, or scenes of others.

import { Film, steer } from "./film.js";
import { renewing } from "./page.js";
import { Screen, watch } from "./watch.js";

const root = document.querySelector("[data-tv]"), rest = 15000; // milliseconds after a game, until scenes begin
const screen = new Screen(root), { part } = screen, pause = part("pause"), renew = renewing("#home-side");
const refresh = () => { if (!globalThis.site && !document.hidden) renew(); };

const film = new Film(root.querySelectorAll("[data-scene]"), (position, ply, move, before, scene) => {
	if (!before) {
		const { of = 0 } = scene.dataset;
		screen.begin({ ...scene.dataset, game: of });
		part("link").hidden = !of;
		screen.sides.show(null);
		part("result").textContent = scene.textContent;
	}
	screen.play(position, ply, move, before, scene);
});

let waiting;
function next() {
	clearTimeout(waiting);
	film.stop();
	pause.hidden = true;
	part("link").hidden = false;
	refresh();
}
function begin() {
	film.start();
	steer(pause, [film]);
	pause.hidden = false;
}
function over() {
	clearTimeout(waiting);
	waiting = setTimeout(begin, rest);
}
const { game, ply, live } = root.dataset;
if (!globalThis.site) watch(screen, live === undefined ? "/api/tv" : `/api/tv?seen=${game}-${ply}`, { next, over, lists: refresh });
if (live === undefined) begin();
document.addEventListener("visibilitychange", refresh);
