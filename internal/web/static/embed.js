// The board of a game for other sites. A finished game shows one ply, or plays itself: ?play=1&from=PLY&to=PLY.

import { Film, steer } from "./film.js";
import { ask, make } from "./page.js";
import { play, read, write } from "./rules.js";
import { Screen, watch } from "./watch.js";

const root = document.querySelector("[data-tv]"), asked = new URLSearchParams(location.search);
const { game, ply, live, start } = root.dataset;

// replay plays the plies that the address asks for, again and again, with a button that stops them.
async function replay() {
	const { record: { moves } } = await ask(`/api/games/${game}`), screen = new Screen(root);
	const from = Math.min(Number(asked.get("from")) || 0, moves.length), to = Number(asked.get("to")) || moves.length;
	const position = moves.slice(0, from).reduce(play, read(start)), first = Number(start.split(" ")[3]);
	const scene = { dataset: { start: write(position, first + from), ply: from, moves: moves.slice(from, to).join(" ") } };
	const film = new Film([scene], (...shown) => screen.show(...shown.slice(0, 4)));
	const button = make("button", { type: "button", className: "small" });
	root.querySelector(".score").append(" ", button);
	film.start();
	steer(button, [film]);
}

// The site around the frame learns the height of the page, and can give the frame as much.
new ResizeObserver(() => parent.postMessage({ versus2048: { height: document.documentElement.scrollHeight } }, "*")).observe(document.body);
if (live !== undefined) {
	const stream = watch(new Screen(root), `/api/games/${game}/live?seen=${game}-${ply}`, { over: () => stream.close() });
} else if (asked.get("play") === "1") {
	await replay();
}
