// The list of moves, by turns, with only the turns near the view.

import { make } from "./page.js";

const spare = 20; // turns above and below the view

export class Moves {
	constructor(element) {
		Object.assign(this, { element, list: element.querySelector("ol"), turns: new Map(), height: 28 });
		element.addEventListener("scroll", () => this.draw());
		new ResizeObserver(() => this.draw()).observe(element);
		this.show([], 0);
	}

	// show shows the moves of a game, which may grow. half is 1 if the first turn is a slide alone.
	show(moves, half) {
		this.list.replaceChildren();
		this.turns.clear();
		Object.assign(this, { moves, half });
		this.draw();
	}

	turn(ply) { return (ply - 1 + this.half) >> 1; }

	// draw puts the turns in and near the view on the page, and room in place of the others.
	draw() {
		const { element, list, turns } = this, all = this.moves.length && this.turn(this.moves.length) + 1;
		const first = Math.max(0, Math.floor(element.scrollTop / this.height) - spare);
		const end = Math.min(all, Math.ceil((element.scrollTop + element.clientHeight) / this.height) + spare);
		const gone = [...turns].filter(([turn]) => turn < first || turn >= end);
		if (gone.some(([, row]) => row.contains(document.activeElement))) element.focus({ preventScroll: true });
		list.style.padding = `${first * this.height}px 0 ${Math.max(0, all - end) * this.height}px`;
		for (const [turn, row] of gone) {
			row.remove();
			turns.delete(turn);
		}
		for (let turn = first, before; turn < end; turn++) before = this.row(turn, before);
		this.point();
		const height = list.firstElementChild?.offsetHeight || this.height; // larger for fingers
		if (height === this.height) return;
		this.height = height;
		this.draw();
	}

	// row returns the row of a turn, with its known moves. before is the row before it.
	row(turn, before) {
		let row = this.turns.get(turn);
		if (!row) {
			row = make("li", { value: turn + 1 });
			if (before) before.after(row);
			else this.list.prepend(row);
			this.turns.set(turn, row);
		}
		for (let ply = Math.max(1, 2 * turn + 1 - this.half) + row.childElementCount; ply <= 2 * turn + 2 - this.half && ply <= this.moves.length; ply++) {
			const link = make("a", { href: `?ply=${ply}`, tabIndex: -1 }, this.moves[ply - 1]);
			link.dataset.to = ply;
			row.append(link, " ");
		}
		return row;
	}

	// point makes the ply's move the current one, and the only stop of the tabulator key.
	point() {
		const { list, ply } = this, current = list.querySelector(`[data-to="${ply}"]`), stop = current ?? list.querySelector("a");
		const [old] = list.querySelectorAll("[aria-current]"), [tab] = list.querySelectorAll("[tabindex='0']");
		if (old && old !== current) old.ariaCurrent = null;
		if (tab && tab !== stop) tab.tabIndex = -1;
		if (current) current.ariaCurrent = "true";
		if (stop) stop.tabIndex = 0;
		return current;
	}

	// mark marks the move of the ply. It moves the focus from the move before.
	mark(ply) {
		const { element, list, height } = this, along = document.activeElement.ariaCurrent && list.contains(document.activeElement);
		const top = list.offsetTop - element.offsetTop + this.turn(Math.max(1, ply)) * height;
		this.ply = ply;
		if (top < element.scrollTop || top + height > element.scrollTop + element.clientHeight) element.scrollTop = top - (element.clientHeight - height) / 2;
		this.draw();
		if (along) (this.point() ?? element).focus({ preventScroll: true });
	}
}
