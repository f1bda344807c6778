// A game of two bots, a move at a time.

import { number } from "./moment.js";
import { emptyBoard, legal, play } from "./rules.js";

export class Steps {
	constructor(table, asked) {
		Object.assign(this, { table, asked, past: [] });
	}

	begin() {
		const { attacker, defender, size } = this.asked;
		this.table.begin({ attacker, defender });
		this.table.show(emptyBoard(size), 0);
		this.table.say("Press One move, or Play on.");
		this.offer();
	}

	offer() {
		this.table.part("do=run").textContent = this.running ? "Pause" : "Play on";
		this.table.offer(...(this.done() ? ["again"] : ["step", "run"]), this.past.length ? "undo" : "");
	}

	done() { return !legal(this.table.position).length; }

	async step() {
		if (this.busy || this.done()) return;
		this.busy = true;
		const { table, asked } = this, { position, ply } = table;
		try {
			const move = await table.hint(asked[position.side], asked.rules);
			this.past.push({ position, ply });
			table.show(play(position, move), ply + 1, move, position);
			table.say(this.done() ? `The game is over: ${number(table.position.score)} points.` : `The ${position.side} plays ${move}.`);
		} finally {
			this.busy = false;
			this.offer();
		}
	}

	async run() {
		this.running = !this.running;
		this.offer();
		while (this.running && !this.done()) await this.step();
		this.leave();
		this.offer();
	}

	undo() {
		this.leave();
		const { position, ply } = this.past.pop();
		this.table.show(position, ply);
		this.offer();
	}

	leave() { this.running = false; }
}
