// The server's parts beside a game's board.

import { fill, piece, swap } from "./page.js";
import { write } from "./rules.js";

// Panels show the search for the ply's move, and the result of perfect play.
export class Panels {
	constructor(replay) {
		this.replay = replay;
		replay.root.addEventListener("ply", () => this.later());
		this.later();
	}

	// later requests the panels soon, not at once: a slider or a live game passes many plies.
	later() {
		if ("known" in this.replay.root.dataset) this.timer ??= setTimeout(() => this.show(), this.replay.following ? 1000 : 80);
	}

	async show() {
		const { id, ply, part, board } = this.replay;
		this.timer = null;
		const fresh = await piece(`/parts/games/${id}/panels?ply=${ply}`).catch(() => null);
		if (ply !== this.replay.ply || !fresh) return; // another ply has been chosen
		part("panels").replaceChildren(...fresh.body.children);
		board.point(!part("panels").matches(".inexact") && part("best-move")?.textContent);
	}

	toggle() {
		this.replay.part("panels").classList.toggle("inexact");
		this.show();
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

	next() {
		const { replay } = this, links = [...replay.root.querySelectorAll("[data-marks] a:not(.mark-tile)")];
		const next = links.find((link) => link.dataset.to > replay.ply) ?? links[0];
		if (next) next.click();
		else replay.announce("No mistake is marked.");
	}
}

// share keeps texts and links for copying up to date.
export function share(replay) {
	const { part, root, record } = replay, { origin, pathname } = location, first = Number(root.dataset.start.split(" ")[3]);
	const show = () => {
		const { ply } = replay, position = write(replay.at(ply), first + ply), here = `?ply=${ply}`;
		fill(part, { position, address: origin + pathname + here });
		part("svg").search = here;
		part("gif").search = `?to=${ply}`;
		part("analysis").search = new URLSearchParams({ position, rules: record.rules });
	};
	root.addEventListener("ply", show);
	show();
}
