// The server's parts beside a game's board.

import { fill, piece, swap } from "./page.js";

// Panels show the search for the ply's move, and the result of perfect play.
export class Panels {
	constructor(replay) {
		this.replay = replay;
		this.exact = true; // whether exact values are shown
		const { root } = replay;
		root.addEventListener("ply", () => this.later());
		root.addEventListener("variation", () => this.markLine());
		root.addEventListener("click", ({ target }) => {
			const moves = this.line(), at = moves.indexOf(target);
			if (at >= 0) replay.tryOut(replay.ply - 1, moves.map((button) => button.textContent), at + 1);
		});
		this.later();
	}

	// later requests the panels soon, not at once: a slider or a live game passes many plies.
	later() {
		if ("known" in this.replay.root.dataset) this.timer ??= setTimeout(() => this.show(), this.replay.following ? 1000 : 80);
	}

	async show() {
		const { replay } = this, { ply } = replay;
		this.timer = null;
		const fresh = await piece(`/parts/games/${replay.id}/panels?ply=${ply}`).catch(() => null);
		if (!fresh || ply !== replay.ply) return; // another ply has been chosen meanwhile
		replay.part("panels").replaceChildren(...fresh.body.children);
		replay.part("exact").hidden ||= !this.exact;
		replay.board.point(this.exact && replay.part("best-move")?.textContent);
		this.markLine();
	}

	toggle() {
		this.exact = !this.exact;
		this.show();
	}

	line() { return [...this.replay.root.querySelectorAll("[data-search-line] button")]; }

	// markLine marks the step of the expected line that is on the board.
	markLine() {
		const steps = this.replay.variation?.steps;
		this.line().forEach((button, i) => { button.ariaPressed = String(i + 1 === steps); });
	}
}

// Marks show the plies worth looking at, on the slider and as a list.
export class Marks {
	constructor(replay) {
		this.replay = replay;
		replay.root.addEventListener("plies", () => {
			clearTimeout(this.timer);
			this.timer = setTimeout(() => this.load(), replay.over() ? 0 : 3000);
		});
		this.load();
	}

	async load() {
		const fresh = await piece(`/parts/games/${this.replay.id}/marks`).catch(() => null);
		if (fresh) swap(fresh, "[data-ticks]", "[data-marks]");
	}

	// next goes to the next mistake or fault, and from the last one to the first.
	next() {
		const { replay } = this, links = [...replay.root.querySelectorAll("[data-marks] a:not(.mark-tile)")];
		const next = links.find((link) => link.dataset.to > replay.ply) ?? links[0];
		if (next) next.click();
		else replay.announce("No mistake is marked.");
	}
}

// share keeps texts and links for copying up to date.
export function share(replay) {
	const { part, root } = replay;
	const show = () => {
		const position = replay.text(), { origin, pathname } = location, here = `?ply=${replay.ply}`;
		fill(part, { position, address: origin + pathname + here });
		part("svg").search = here;
		part("gif").search = `?to=${replay.ply}`;
		part("analysis").search = new URLSearchParams({ position, rules: replay.record.rules });
	};
	root.addEventListener("ply", show);
	show();
}
