// A board that shows a game while it is played, and later games.

import { Board, caption } from "./board.js";
import { follow } from "./live.js";
import { fill, number, parts } from "./page.js";

// clock writes milliseconds as 1:05, or 4.2 below ten seconds.
const clock = (ms) => (ms < 1e4 ? (Math.max(0, ms) / 1000).toFixed(1) : `${Math.floor(ms / 6e4)}:${String(Math.floor(ms / 1000 % 60)).padStart(2, "0")}`);

class Sides {
	constructor(root) {
		this.root = root;
		setInterval(() => this.tick(), 100);
	}

	// show marks the side to move, and absent bots. The clock of an absent bot stops.
	show(side, clocks, away = []) {
		for (const mark of this.root.querySelectorAll("[data-away]")) mark.hidden = !away.includes(mark.dataset.away);
		for (const name of this.root.querySelectorAll("[data-side]")) name.classList.toggle("turn", !!clocks && name.dataset.side === side);
		Object.assign(this, { side, clocks });
		this.little = Math.min(10000, (clocks?.base_ms ?? clocks?.turn_ms) / 5); // a fifth, at most ten seconds
		this.since = performance.now() - (clocks?.spent_ms ?? 0);
		this.still = away.includes(side) && performance.now();
		this.tick();
	}

	tick() {
		for (const shown of this.root.querySelectorAll("[data-clock]")) {
			const left = this.left(shown.dataset.clock), text = left === undefined ? "" : clock(left);
			shown.classList.toggle("low", left < this.little);
			if (shown.textContent !== text) shown.textContent = text;
		}
	}

	// left returns a side's time in ms, for the game or else for its move.
	left(name) {
		const c = this.clocks, turn = name === this.side, rest = c?.[`${name}_ms`] ?? (turn ? c?.turn_ms : undefined);
		return rest === undefined ? rest : rest - (turn ? (this.still || performance.now()) - this.since : 0);
	}
}

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
		Object.assign(this, { scores: [], known: null });
		this.root.dataset.game = game.game;
		this.ply = NaN;
		this.part("link").href = `/games/${game.game}`;
		fill(this.part, { "name=attacker": game.attacker, "name=defender": game.defender });
	}

	// show animates the last move if the position before is on the board.
	show(position, ply, move, before, onBoard = before) {
		const { part } = this;
		this.board.show(position, move, onBoard && before);
		Object.assign(this, { position, ply });
		fill(part, { score: number(position.score), "ply-text": ply });
		if (part("caption") && move !== undefined) fill(part, { caption: caption(move, position, before) });
		if (part("advantage")) this.compare(ply);
	}

	play(position, ply, move, before, { dataset: { course } }) {
		if (!before && course) this.expect(JSON.parse(course), ply);
		this.show(position, ply, move, before);
	}

	// expect learns the advantage from a ply of a game on.
	expect({ expected = [], ...rest } = {}, from) {
		expected.forEach((score, i) => { this.scores[from + i] = { ...rest, expected: score }; });
	}

	// A frame of several plies has only the last one's advantage.
	compare(ply) {
		const { part, scores } = this;
		while (ply % 1024 && !scores[ply]) ply--;
		const known = this.known = scores[ply] ?? this.known, { expected, other, exact = false } = known ?? {}, both = expected + other, percent = Math.round(100 * expected / both) || 0;
		Object.assign(part("advantage"), { hidden: !known }).classList.toggle("exact", exact);
		part("meter").value = percent;
		fill(part, { percent, expected: number(expected), both: number(both) });
	}
}

// watch shows a stream on a screen. It calls next for another game, over at the end of one, and lists for changed lists.
export function watch(screen, url, { next, over, lists }) {
	const { part } = screen;
	return follow(url, {
		lists,
		game: (game) => {
			screen.begin(game);
			fill(part, { announcer: `Next game: ${game.attacker} attacks, ${game.defender} defends`, caption: "" });
			next?.();
		},
		frame: ({ tiles, side, score, ply, moves, from, result, clocks, away, ending, advantage }) => {
			const before = moves.length === 1 && from === screen.ply ? screen.position : null;
			screen.scores[ply] = advantage;
			screen.show({ tiles, side, score }, ply, moves.at(-1), before);
			fill(part, { result });
			screen.sides.show(side, clocks, away);
			if (ending !== "unfinished") over?.();
		},
	});
}
