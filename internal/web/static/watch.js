// A board that shows a game while it is played, and later games.

import { Board } from "./board.js";
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
	}

	begin(game) {
		this.root.dataset.game = game.game;
		this.ply = NaN;
		this.part("link").href = `/games/${game.game}`;
		for (const side of ["attacker", "defender"]) {
			const name = this.root.querySelector(`[data-side=${side}] bdi, [data-name=${side}]`), link = name.closest("a");
			name.textContent = game[side];
			if (link) link.href = `/bots/${encodeURIComponent(game[side])}`;
			this.root.querySelector(`[data-side=${side}] .place`)?.remove();
		}
	}

	// show shows a position. It animates the move if the position before is on the board.
	show(position, ply, move, before) {
		this.board.show(position, move, before);
		Object.assign(this, { position, ply });
		fill(this.part, { score: number(position.score), "ply-text": ply });
	}
}

// watch shows a stream on a screen. It calls next when the stream begins another game, over
// when a game has ended, and lists when the lists of the first page have changed.
export function watch(screen, url, { next, over, lists }) {
	const { part } = screen;
	return follow(url, {
		lists,
		game: (game) => {
			screen.begin(game);
			part("announcer").textContent = `Next game: ${game.attacker} attacks, ${game.defender} defends`;
			next?.();
		},
		frame: ({ tiles, side, score, ply, moves, from, result, clocks, away, live, ending }) => {
			const before = moves.length === 1 && from === screen.ply ? screen.position : null;
			screen.show({ tiles, side, score }, ply, moves.at(-1), before);
			part("result").textContent = result;
			screen.sides.show(side, clocks, away);
			if (!live && ending !== "unfinished") over?.();
		},
	});
}
