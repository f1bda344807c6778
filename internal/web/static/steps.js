// A game of two bots, move by move.

import { number } from "./moment.js";
import { empty, mated, play } from "./rules.js";

export class Steps {
	constructor(table, asked) {
		Object.assign(this, { table, asked, past: [] }); // past: the position and the ply before each move
	}

	begin() {
		const { attacker, defender, size } = this.asked;
		this.table.begin({ attacker, defender });
		this.table.show(empty(size), 0);
		this.table.reveal();
		this.table.say("Press One move, or Play on.");
		this.offer();
	}

	offer() {
		if (this.left) return;
		this.table.part("do=run").textContent = this.running ? "Pause" : "Play on";
		this.table.offer(...(mated(this.table.position) ? ["again"] : ["step", "run"]), this.past.length ? "undo" : "");
	}

	// step plays a move: the one that a bot is thinking about, if there is one.
	step() {
		return this.next ??= this.move().finally(() => {
			this.next = null;
			this.offer();
		});
	}

	async move() {
		const { table, asked } = this, { position, ply } = table;
		const move = await table.hint(asked[position.side], asked.rules);
		if (table.position !== position || this.left) return; // undone, or left
		this.past.push([position, ply]);
		const next = play(position, move);
		table.show(next, ply + 1, move, position);
		table.say(mated(next) ? `The game is over: ${number(next.score)} points.` : `The ${position.side} plays ${move}.`);
	}

	async run() {
		this.running = !this.running;
		this.offer();
		try {
			while (this.running && !mated(this.table.position)) await this.step();
		} finally {
			this.running = false;
			this.offer();
		}
	}

	undo() {
		this.running = false;
		this.table.show(...this.past.pop());
		this.offer();
	}

	leave() { this.running = false; this.left = true; }
}
