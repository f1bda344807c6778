// The two sides of a game: who is to move, and their clocks.

import { clock } from "./moment.js";

export class Sides {
	constructor(root) {
		this.root = root;
		this.ticker = setInterval(() => this.tick(), 100);
		this.clocks = null;
	}

	// show shows who is to move and whose bot is away, and lets their clock run. clocks is absent if the
	// game is over.
	show(side, clocks, away = []) {
		for (const element of this.root.querySelectorAll("[data-away]")) element.hidden = !away.includes(element.dataset.away);
		for (const element of this.root.querySelectorAll("[data-side]")) element.classList.toggle("turn", !!clocks && element.dataset.side === side);
		this.side = side;
		this.clocks = clocks;
		this.since = performance.now() - (clocks?.spent_ms ?? 0);
		this.tick();
	}

	tick() {
		for (const name of ["attacker", "defender"]) {
			const element = this.root.querySelector(`[data-clock=${name}]`);
			const left = element && this.left(name);
			if (!element || element.textContent === left) continue;
			element.textContent = left;
			element.classList.toggle("low", /^\d\.\d$/.test(left)); // below ten seconds
		}
	}

	// left returns what a side's clock shows: the rest of its total, or else of its move.
	left(name) {
		const c = this.clocks;
		if (!c) return "";
		const spent = name === this.side ? performance.now() - this.since : 0;
		const total = c[`${name}_ms`];
		if (total !== undefined) return clock(total - spent);
		if (name === this.side && c.turn_ms !== undefined) return clock(c.turn_ms - spent);
		return "";
	}
}
