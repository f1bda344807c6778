// An event's games, with only the rows near the view.

import { parts, piece, put, swap } from "./page.js";

const spare = 24, limit = 60; // games above the view, and in all
const height = 44; // of a row

export class GameList {
	constructor(root, event) {
		const part = parts(root), form = part("games-filter"), scroller = part("games-list");
		Object.assign(this, { event, form, scroller, table: scroller.querySelector("table") });
		scroller.classList.add("windowed");
		scroller.onscroll = () => { this.waiting ??= setTimeout(() => this.scrolled(), 80); };
		form.onchange = () => form.requestSubmit();
		this.scrolled();
	}

	// scrolled loads other games if the view comes near the end of those on the page.
	scrolled() {
		this.waiting = null;
		const first = Math.max(0, Math.floor(this.scroller.scrollTop / height) - spare), moved = Math.abs(first - this.first);
		if (!(moved <= spare / 2) || moved && !first) this.load(first);
	}

	// load shows the games from a place on, or those on the page again.
	async load(first = this.first) {
		const { table, form } = this, query = this.asked = new URLSearchParams({ ...Object.fromEntries(new FormData(form)), offset: first, limit });
		this.first = first;
		try {
			const fresh = await piece(`/parts/events/${this.event}/games?${query}`), { tBodies: [next], ariaRowCount } = fresh.querySelector("table");
			if (this.asked !== query) return; // others have been requested meanwhile
			put(table.tBodies[0], next, this.scroller);
			Object.assign(table, { ariaRowCount });
			swap(fresh, "[data-games-count]");
		} catch {
			setTimeout(() => this.asked === query && this.load(first), 2000);
		}
	}
}
