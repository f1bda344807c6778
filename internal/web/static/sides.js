// The two sides of a game: the one to move, and their clocks.

import { clock } from "./moment.js";

export class Sides {
	constructor(root) {
		this.root = root;
		setInterval(() => this.tick(), 100);
	}

	// show marks the side to move, and absent bots. The clock of an absent bot stops.
	show(side, clocks, away = []) {
		for (const element of this.root.querySelectorAll("[data-away]")) element.hidden = !away.includes(element.dataset.away);
		for (const element of this.root.querySelectorAll("[data-side]")) element.classList.toggle("turn", !!clocks && element.dataset.side === side);
		Object.assign(this, { side, clocks });
		this.little = Math.min(10000, (clocks?.base_ms ?? clocks?.turn_ms) / 5); // a fifth, at most ten seconds
		this.since = performance.now() - (clocks?.spent_ms ?? 0);
		this.still = away.includes(side) && performance.now();
		this.tick();
	}

	tick() {
		for (const element of this.root.querySelectorAll("[data-clock]")) {
			const left = this.left(element.dataset.clock), text = left === undefined ? "" : clock(left);
			element.classList.toggle("low", left < this.little);
			if (element.textContent !== text) element.textContent = text;
		}
	}

	// left returns the rest of a side's time in milliseconds: of the total time, or else of its move's.
	left(name) {
		const c = this.clocks, turn = name === this.side, rest = c?.[`${name}_ms`] ?? (turn ? c?.turn_ms : undefined);
		return rest === undefined ? rest : rest - (turn ? (this.still || performance.now()) - this.since : 0);
	}
}
