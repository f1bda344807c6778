// The list of an event's games, with only the rows near the view.

import { make, piece } from "./page.js";

const size = 25; // games of one block, a tbody
const height = 44; // of a row

export class GameList {
	constructor(root, event) {
		this.event = event;
		this.root = root;
		this.form = root.querySelector("[data-games-filter]");
		const scroller = root.querySelector("[data-games-list]");
		this.table = scroller.querySelector("table");
		scroller.classList.add("windowed");
		this.form.addEventListener("change", () => this.form.requestSubmit());
		this.inView = new Set();
		this.watcher = new IntersectionObserver((blocks) => blocks.forEach((b) => this.scrolled(b.target, b.isIntersecting)), { root: scroller, rootMargin: "300px" });
		this.watcher.observe(this.table.tBodies[0]);
		this.fit(Number(this.table.dataset.total));
	}

	// grow reads the rows in view again: games have ended or begun.
	grow() { this.inView.forEach((block) => this.load(block)); }

	// fit makes the number of blocks fit the number of games.
	fit(total) {
		const { table } = this, blocks = Math.max(1, Math.ceil(total / size));
		this.total = total;
		table.ariaRowCount = total + 1;
		while (table.tBodies.length > blocks) table.tBodies[blocks].remove();
		while (table.tBodies.length < blocks) {
			const block = table.createTBody();
			this.empty(block);
			this.watcher.observe(block);
		}
	}

	first(block) { return size * [...this.table.tBodies].indexOf(block); }

	// empty removes the rows of a block and keeps its height.
	empty(block) {
		const gap = make("tr", { className: "gap", ariaHidden: "true" });
		gap.style.height = `${height * Math.min(size, this.total - this.first(block))}px`;
		block.replaceChildren(gap);
		block.asked = null;
	}

	scrolled(block, inView) {
		this.inView[inView ? "add" : "delete"](block);
		if (inView) this.load(block);
		else this.empty(block);
	}

	async load(block) {
		const first = this.first(block), query = block.asked = new URLSearchParams({ ...Object.fromEntries(new FormData(this.form)), offset: first, limit: size });
		try {
			const table = (await piece(`/parts/events/${this.event}/games?${query}`)).querySelector("table"), at = document.activeElement, stay = block.contains(at);
			if (block.asked !== query) return; // out of view, or requested again
			block.replaceChildren(...table.rows);
			if (stay) [...block.querySelectorAll("a")].find((a) => a.href === at.href)?.focus();
			[...block.rows].forEach((row, i) => { row.ariaRowIndex = first + i + 2; });
			this.fit(Number(table.dataset.total));
			this.root.querySelector("[data-games-count]").textContent = `${this.total} games`;
		} catch {
			setTimeout(() => block.asked === query && this.load(block), 2000);
		}
	}
}
