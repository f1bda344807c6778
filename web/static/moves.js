// The list of moves, by turns.

import { make } from "./page.js";

export class Moves {
	constructor(element) {
		this.element = element;
		this.list = element.querySelector("ol");
	}

	clear() {
		this.list.replaceChildren();
		this.list.start = 1;
		this.links = [];
	}

	add(move, newTurn) {
		const ply = this.links.length + 1, link = make("a", { href: `?ply=${ply}` }, move);
		link.dataset.to = ply;
		if (newTurn || ply === 1) this.list.append(make("li"));
		this.list.lastElementChild.append(link, " ");
		this.links.push(link);
	}

	mark(ply) {
		this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
		const link = this.links[ply - 1];
		if (!link) return;
		link.ariaCurrent = "true";
		const { element } = this, box = element.getBoundingClientRect(), row = link.getBoundingClientRect();
		if (row.top < box.top || row.bottom > box.bottom) element.scrollTop += (row.top + row.bottom - box.top - box.bottom) / 2;
	}
}
