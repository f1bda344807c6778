// The list of an event's games. Only the rows in view are on the page; the others are asked for as one
// scrolls. The server makes them, filters and orders them.

import { make, piece } from "./page.js";

const size = 100; // games of one request
const spare = 12; // rows above and below those in view
const height = 44; // of a row

export class GameList {
	constructor(root, event) {
		this.event = event;
		this.count = root.querySelector("[data-games-count]");
		this.scroller = root.querySelector("[data-games-list]");
		this.table = this.scroller.querySelector("table");
		this.form = root.querySelector("[data-games-filter]");
		this.total = Number(this.table.dataset.total);
		this.first = 0; // the row that comes first on the page
		this.pages = new Map(); // of rows, by number; undefined while they are on their way
		this.scroller.classList.add("windowed");
		for (const hidden of ["[data-games-pager]", "[data-games-filter] button"]) root.querySelector(hidden).hidden = true;
		this.form.addEventListener("change", () => this.form.requestSubmit());
		this.scroller.addEventListener("scroll", () => this.show(), { passive: true });
		addEventListener("resize", () => this.show());
		this.show();
	}

	// grow is told that games have ended or begun: the rows in view are read again.
	grow() {
		this.pages = new Map();
		this.show();
	}

	row(index) {
		const page = Math.floor(index / size);
		if (!this.pages.has(page)) this.load(page);
		return this.pages.get(page)?.[index % size];
	}

	async load(page) {
		const { pages } = this, query = new URLSearchParams(new FormData(this.form));
		pages.set(page, undefined);
		query.set("offset", page * size);
		query.set("limit", size);
		try {
			const table = (await piece(`/parts/events/${this.event}/games?${query}`)).querySelector("table");
			if (pages !== this.pages) return; // the list has changed
			pages.set(page, [...table.rows]);
			this.total = Number(table.dataset.total);
			this.count.textContent = `${this.total} games`;
			this.show();
		} catch {
			setTimeout(() => { pages.delete(page); this.show(); }, 2000);
		}
	}

	// show puts the rows in view on the page, and the height of all others above and below. Rows that are
	// there stay until theirs have come.
	show() {
		const first = Math.max(0, Math.floor(this.scroller.scrollTop / height) - spare);
		const past = Math.min(this.total, first + Math.ceil(this.scroller.clientHeight / height) + 2 * spare);
		const rows = Array.from({ length: Math.max(0, past - first) }, (_, i) => this.row(first + i));
		if (rows.includes(undefined) && Math.abs(first - this.first) <= spare) return;
		this.first = first;
		this.table.ariaRowCount = this.total + 1;
		const shown = rows.map((row, i) => Object.assign(row ?? make("tr", {}, make("td", { colSpan: 8 }, "…")), { ariaRowIndex: first + i + 2 }));
		this.table.tBodies[0].replaceChildren(gap(first), ...shown, gap(this.total - past));
	}
}

function gap(rows) {
	const row = make("tr", { className: "gap", ariaHidden: "true" });
	row.style.height = `${Math.max(0, rows) * height}px`;
	return row;
}
