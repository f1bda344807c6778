// A board that shows a game while it is played, and later games.

import { Board, caption } from "./board.js";
import { follow } from "./live.js";
import { number } from "./moment.js";
import { fill, parts } from "./page.js";
import { Sides } from "./sides.js";

// Screen is a board with the names of both sides, their clocks, score and ply.
export class Screen {
	constructor(root) {
		this.root = root;
		this.part = parts(root);
		this.board = new Board(this.part("board"));
		this.sides = new Sides(root);
		this.ply = Number(root.dataset.ply);
		this.scores = []; // the advantage at known plies
	}

	begin(game) {
		this.scores = [];
		this.root.dataset.game = game.game;
		this.ply = NaN;
		this.part("link").href = `/games/${game.game}`;
		fill(this.part, { "name=attacker": game.attacker, "name=defender": game.defender });
	}

	// show shows a position with its last move. It animates the move if the position before is on the board.
	show(position, ply, move, before, onBoard = before) {
		const { part } = this;
		this.board.show(position, move, onBoard && before);
		Object.assign(this, { position, ply });
		fill(part, { score: number(position.score), "ply-text": ply });
		if (part("caption") && move !== undefined) fill(part, { caption: caption(move, position, before) });
		if (part("advantage")) this.compare(ply);
	}

	// play shows a ply of a scene.
	play(position, ply, move, before, { dataset: { course } }) {
		if (!before && course) this.expect(JSON.parse(course), ply);
		this.show(position, ply, move, before);
	}

	// expect learns the advantage from a ply of a game on.
	expect({ every = 1, expected = [], ...rest } = {}, from = 0, last = Infinity) {
		expected.forEach((score, i) => { this.scores[Math.min(from + i * every, last)] = { ...rest, expected: score }; });
	}

	// compare shows the advantage at a ply, or the last known one.
	compare(ply) {
		const { part, scores } = this;
		while (ply && !scores[ply]) ply--;
		const { expected, other, exact = false } = scores[ply] ?? {}, both = expected + other, percent = Math.round(100 * expected / both) || 0;
		Object.assign(part("advantage"), { hidden: !scores[ply] }).classList.toggle("exact", exact);
		part("meter").value = percent;
		fill(part, { percent, expected: number(expected), both: number(both) });
	}
}

// watch shows a stream on a screen. It calls next when another game begins, over when a game has ended, and lists when
// the lists of the first page have changed.
export function watch(screen, url, { next, over, lists }) {
	const { part } = screen;
	return follow(url, {
		lists,
		game: (game) => {
			screen.begin(game);
			part("announcer").textContent = `Next game: ${game.attacker} attacks, ${game.defender} defends`;
			next?.();
		},
		frame: ({ tiles, side, score, ply, moves, from, result, clocks, away, live, ending, advantage }) => {
			const before = moves.length === 1 && from === screen.ply ? screen.position : null;
			screen.scores[ply] = advantage;
			screen.show({ tiles, side, score }, ply, moves.at(-1), before);
			part("result").textContent = result;
			screen.sides.show(side, clocks, away);
			if (!live && ending !== "unfinished") over?.();
		},
	});
}
