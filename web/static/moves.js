// The list of moves, by turns. The browser lays out only those in view: see .moves li in style.css.

import { make } from "./page.js";

export class Moves {
	constructor(element) {
		this.element = element;
		this.list = element.querySelector("ol");
		this.links = [];
	}

	// clear begins the list anew.
	clear() {
		this.list.replaceChildren();
		this.list.start = 1;
		this.links = [];
	}

	// add appends a move, in a new turn or in the last one.
	add(move, newTurn) {
		const ply = this.links.length + 1, link = make("a", { href: `?ply=${ply}` }, move);
		link.dataset.to = ply;
		if (newTurn || ply === 1) this.list.append(make("li"));
		this.list.lastElementChild.append(link, " ");
		this.links.push(link);
	}

	// mark shows at which ply the board is.
	mark(ply) {
		this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
		const link = this.links[ply - 1];
		if (!link) return;
		link.ariaCurrent = "true";
		const { element } = this, box = element.getBoundingClientRect(), row = link.getBoundingClientRect();
		if (row.top < box.top || row.bottom > box.bottom) element.scrollTop += (row.top + row.bottom - box.top - box.bottom) / 2;
	}
}
