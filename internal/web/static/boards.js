// An event's games in progress. New games take the boards of finished ones.

import { follow } from "./live.js";
import { fill, parts } from "./page.js";
import { read } from "./rules.js";
import { Screen } from "./watch.js";

const root = document.querySelector("[data-boards]"), part = parts(root);
const screens = [...part("list").children].map((board) => new Screen(board));

function add() {
	const board = document.getElementById("small-board").content.firstElementChild.cloneNode(true), screen = new Screen(board);
	part("list").append(board);
	screens.push(screen);
	return screen;
}

function show(game) {
	let screen = screens.find((s) => s.root.dataset.game === String(game.game));
	if (!screen) {
		screen = screens.find((s) => s.root.matches(".over")) ?? add();
		screen.root.classList.remove("over");
		screen.begin(game);
		screen.part("link").ariaLabel = `watch game ${game.game}`;
	}
	const position = read(game.position);
	screen.scores[game.ply] = game.advantage;
	if (screen.ply !== game.ply) screen.show(position, game.ply, game.move);
	screen.sides.show(position.side, game.clocks);
}

follow(`/api/events/${root.dataset.event}/boards`, {
	state: ({ boards, state }) => {
		for (const { root: board, sides } of screens) if (board.classList.toggle("over", !boards.some(({ game }) => String(game) === board.dataset.game))) sides.show();
		boards.forEach(show);
		fill(part, { state, count: boards.length });
		part("none").hidden = boards.length > 0;
	},
});
