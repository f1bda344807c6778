// A board: the cells that the server made, and above them tiles that move.

import { make, number } from "./page.js";
import { placement, slide } from "./rules.js";

export const calm = matchMedia("(prefers-reduced-motion: reduce)");
const slideTime = 110; // milliseconds

export const directions = { N: "up", S: "down", W: "left", E: "right" };

// caption describes a move, as templates.Move does. Without before it leaves out the merges.
export function caption(move, { score }, before) {
	if (!move) return "";
	const put = placement(move);
	if (put) return `The attacker places a ${put.tile} at (${put.x + 1},${put.y + 1})`;
	const merged = (before ? slide(before.tiles, move).steps : []).filter((step) => step.merged).map(({ tile }) => tile);
	const sums = merged.sort((a, b) => a - b).filter((_, i) => i % 2).map((n) => `${n}+${n}=${2 * n}`);
	return `The defender slides ${directions[move]}${sums.length ? ": " : ""}${sums.join(", ")}, ${number(score)} points in all`;
}

export class Board {
	constructor(element) { this.element = element; }

	// at returns the column and the row of a cell, from 0.
	static at(cell) { return /x(\d) y(\d)/.exec(cell.className).slice(1).map((n) => n - 1); }

	cell(x, y) { return this.element.querySelector(`.x${x + 1}.y${y + 1}`); }

	resize(tiles) {
		this.element.className = `board w${tiles[0].length} h${tiles.length}`;
		this.element.replaceChildren(...tiles.map((row, y) => make("div", { role: "row" }, ...row.map((_, x) => (
			make("div", { className: `cell x${x + 1} y${y + 1}`, role: "gridcell" }))))));
	}

	// show animates the move from before, if given.
	show({ tiles, side, score }, move, before) {
		const { element } = this, width = tiles[0].length, height = tiles.length, put = placement(move);
		this.stop();
		if (!element.matches(`.w${width}.h${height}`)) this.resize(tiles);
		tiles.forEach((row, y) => row.forEach((tile, x) => {
			const cell = this.cell(x, y), old = cell.firstElementChild;
			cell.ariaLabel = `column ${x + 1}, row ${y + 1}: ${tile || "empty"}`;
			if (!tile) return old?.remove();
			const placed = put?.x === x && put.y === y ? " placed" : "";
			Object.assign(old ?? cell.appendChild(make("span")), { className: `tile t${tile}${placed}`, ariaHidden: "true", textContent: tile });
		}));
		this.point();
		element.ariaLabel = `Board of ${width}x${height}, the ${side} to move, score ${score}`;
		if (before && move) this.animate(before.tiles, move);
	}

	// point draws the best move, or none: an arrow, or a tile that is not there yet.
	point(move) {
		const { element } = this, put = placement(move);
		for (const marked of [element, ...element.querySelectorAll("[data-best]")]) delete marked.dataset.best;
		if (!move) return;
		const place = put ? element.querySelector(`[data-play="${move}"]`) ?? this.cell(put.x, put.y) : element;
		place.dataset.best = put?.tile ?? move;
	}

	// animate moves copies of the tiles over the cells, from their old places.
	animate(from, move) {
		if (calm.matches || document.hidden) return;
		const { element } = this, put = placement(move), tileAt = (x, y) => this.cell(x, y).firstElementChild;
		if (put) return tileAt(put.x, put.y).animate({ transform: ["scale(.3)", "none"], opacity: [0, 1] }, { duration: slideTime, easing: "ease-out" });
		const steps = slide(from, move)?.steps ?? [], frame = element.getBoundingClientRect();
		this.layer = make("div", { className: "moving-tiles", ariaHidden: "true" }, ...steps.map((step) => this.mover(step, frame)));
		element.classList.add("moving");
		element.append(this.layer);
		this.timer = setTimeout(() => {
			this.stop();
			for (const { merged, to } of steps) if (merged) tileAt(...to)?.animate({ transform: ["none", "scale(1.12)", "none"] }, slideTime);
		}, slideTime);
	}

	mover({ tile, from, to }, frame) {
		const [start, end] = [from, to].map((at) => this.cell(...at).getBoundingClientRect());
		const copy = make("span", { className: `tile t${tile}` }, String(tile));
		const inset = `${start.top - frame.top}px auto auto ${start.left - frame.left}px`;
		Object.assign(copy.style, { inset, width: `${start.width}px`, height: `${start.height}px` });
		copy.animate({ transform: ["none", `translate(${end.left - start.left}px, ${end.top - start.top}px)`] },
			{ duration: slideTime, easing: "ease-in-out", fill: "forwards" });
		return copy;
	}

	// reveal scrolls the board, or from at the top, into view.
	reveal(from = this.element) {
		const { top } = from.getBoundingClientRect(), { bottom } = this.element.getBoundingClientRect();
		if (top < 0 || bottom > innerHeight) from.scrollIntoView();
	}

	stop() {
		clearTimeout(this.timer);
		this.layer?.remove();
		this.element.classList.remove("moving");
	}
}
