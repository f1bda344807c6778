// All games of an event in progress, each on a small board. A board keeps its place: when its game is
// over, the next game that begins takes it.

import { follow } from "./live.js";
import { parts } from "./page.js";
import { read } from "./rules.js";
import { Screen } from "./watch.js";

const root = document.querySelector("[data-boards]");
const part = parts(root);
const screens = new Map(); // by game
for (const board of part("list").children) screens.set(Number(board.dataset.game), new Screen(board));

// free returns a place for a game: that of one that is over, or a new one.
function free(playing) {
	for (const [game, screen] of screens) {
		if (playing.has(game)) continue;
		screens.delete(game);
		return screen;
	}
	const board = document.getElementById("small-board").content.firstElementChild.cloneNode(true);
	part("list").append(board);
	return new Screen(board);
}

function show(game, playing) {
	if (!screens.has(game.game)) {
		const screen = free(playing);
		screen.begin(game);
		screen.part("link").ariaLabel = `watch game ${game.game}`;
		screens.set(game.game, screen);
	}
	const screen = screens.get(game.game), position = read(game.position);
	if (screen.ply !== game.ply) screen.show(position, game.ply, game.move);
	screen.sides.show(position.side, game.clocks);
}

const stream = follow(`/api/events/${root.dataset.event}/boards`, {
	state: ({ boards, state }) => {
		const playing = new Set(boards.map((b) => b.game));
		for (const game of boards) show(game, playing);
		for (const [game, { root: board }] of screens) board.classList.toggle("over", !playing.has(game));
		part("state").textContent = state;
		part("count").textContent = boards.length;
		part("none").hidden = boards.length > 0;
	},
	end: () => stream.close(),
});
