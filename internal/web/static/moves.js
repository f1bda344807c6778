// The list of moves, by turns, with only the turns near the view.

import { make } from "./page.js";

const spare = 20; // turns above and below the view
const height = matchMedia("(pointer: coarse)").matches ? 44 : 28; // of a turn: larger for fingers

export class Moves {
	constructor(element) {
		Object.assign(this, { element, list: element.querySelector("ol") });
		element.onscroll = () => this.draw();
		new ResizeObserver(() => this.draw()).observe(element);
		this.show([], 0);
	}

	// moves may grow. half is 1 if the first turn is a slide alone.
	show(moves, half) {
		this.list.replaceChildren();
		Object.assign(this, { moves, half });
		this.draw();
	}

	turn(ply) { return (ply - 1 + this.half) >> 1; }

	// draw puts the turns near the view on the page, and space for the others.
	draw() {
		const { element, list, moves } = this, all = moves.length && this.turn(moves.length) + 1;
		const first = Math.max(0, Math.floor(element.scrollTop / height) - spare);
		const end = Math.min(all, Math.ceil((element.scrollTop + element.clientHeight) / height) + spare);
		list.style.padding = `${first * height}px 0 ${(all - end) * height}px`;
		for (const row of [...list.children]) {
			if (row.value > first && row.value <= end) continue;
			if (row.contains(document.activeElement)) element.focus({ preventScroll: true });
			row.remove();
		}
		for (let turn = first, next = list.firstChild; turn < end; turn++) {
			if (next?.value !== turn + 1) next = list.insertBefore(make("li", { value: turn + 1 }), next);
			this.fill(next, 2 * turn + 1 - this.half);
			next = next.nextSibling;
		}
		this.point();
	}

	// fill adds the moves that a turn's row lacks, from a ply on.
	fill(row, ply) {
		for (let at = Math.max(1, ply) + row.childElementCount; at <= Math.min(ply + 1, this.moves.length); at++) {
			const link = make("a", { href: `?ply=${at}`, tabIndex: -1 }, this.moves[at - 1]);
			link.dataset.to = at;
			row.append(link, " ");
		}
	}

	// point makes the ply's move the current one, and the only stop of Tab.
	point() {
		const { list, ply } = this, current = list.querySelector(`[data-to="${ply}"]`), stop = current ?? list.querySelector("a");
		for (const old of list.querySelectorAll("[aria-current], [tabindex='0']")) Object.assign(old, { ariaCurrent: null, tabIndex: -1 });
		if (current) current.ariaCurrent = "true";
		if (stop) stop.tabIndex = 0;
		return current;
	}

	// mark moves the focus along with the marked move.
	mark(ply) {
		const { element, list } = this, along = list.contains(document.activeElement);
		const top = list.offsetTop - element.offsetTop + this.turn(Math.max(1, ply)) * height;
		this.ply = ply;
		if (top < element.scrollTop || top + height > element.scrollTop + element.clientHeight) element.scrollTop = top - (element.clientHeight - height) / 2;
		this.draw();
		if (along) (this.point() ?? element).focus({ preventScroll: true });
	}
}
