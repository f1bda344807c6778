// A board on the page: the cells that the server made, and above them tiles that move.

import { make } from "./page.js";
import { count, placement, slide } from "./rules.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const slideTime = 110; // milliseconds

export class Board {
	// element is a [data-board].
	constructor(element) {
		this.element = element;
		this.layer = null;
	}

	// at returns where a cell is, from 0.
	static at(cell) { return /x(\d) y(\d)/.exec(cell.className).slice(1).map((n) => n - 1); }

	// resize makes the cells of a board anew.
	resize(width, height) {
		const cell = (x, y) => make("div", { className: `cell x${x + 1} y${y + 1}`, role: "gridcell" });
		this.element.className = `board w${width} h${height}`;
		this.element.replaceChildren(...count(height).map((y) => make("div", { role: "row" }, ...count(width).map((x) => cell(x, y)))));
	}

	// show shows a position. If before is the position one move earlier, the move is animated.
	show(position, move, before) {
		const { tiles } = position;
		const rows = this.element.querySelectorAll("[role=row]");
		if (rows.length !== tiles.length || rows[0].children.length !== tiles[0].length) this.resize(tiles[0].length, tiles.length);
		this.stop();
		this.draw(position, move);
		if (before && move) this.animate(before.tiles, move);
	}

	// draw writes the tiles into the cells.
	draw(position, move) {
		const put = move && placement(move);
		position.tiles.forEach((row, y) => row.forEach((tile, x) => {
			const cell = this.cell(x, y), old = cell.firstElementChild;
			cell.ariaLabel = `column ${x + 1}, row ${y + 1}: ${tile || "empty"}`;
			if (!tile) return old?.remove();
			const placed = put && put.x === x && put.y === y ? " placed" : "";
			Object.assign(old ?? cell.appendChild(make("span")), { className: `tile t${tile}${placed}`, ariaHidden: "true", textContent: tile });
		}));
		this.element.ariaLabel = `Board of ${position.tiles[0].length}x${position.tiles.length}, the ${position.side} to move, score ${position.score}`;
	}

	cell(x, y) { return this.element.querySelector(`.x${x + 1}.y${y + 1}`); }

	// animate moves copies of the tiles from where they were, over the cells.
	animate(from, move) {
		if (calm.matches || document.hidden) return;
		const put = placement(move);
		if (put) {
			this.cell(put.x, put.y).firstElementChild.animate({ transform: ["scale(.3)", "none"], opacity: [0, 1] }, { duration: slideTime, easing: "ease-out" });
			return;
		}
		const slid = slide(from, move);
		if (!slid) return;
		const frame = this.element.getBoundingClientRect();
		this.layer = make("div", { className: "moving-tiles", ariaHidden: "true" }, ...slid.steps.map((step) => this.mover(step, frame)));
		this.element.classList.add("moving");
		this.element.append(this.layer);
		this.timer = setTimeout(() => {
			this.stop();
			for (const { merged, to: at } of slid.steps) {
				if (merged) this.cell(...at).firstElementChild?.animate({ transform: ["none", "scale(1.12)", "none"] }, slideTime);
			}
		}, slideTime);
	}

	// mover returns a tile that moves by a step.
	mover({ tile: value, from, to }, frame) {
		const [start, end] = [from, to].map((at) => this.cell(...at).getBoundingClientRect());
		const tile = make("span", { className: `tile t${value}` }, String(value));
		const inset = `${start.top - frame.top}px auto auto ${start.left - frame.left}px`;
		Object.assign(tile.style, { inset, width: `${start.width}px`, height: `${start.height}px` });
		tile.animate({ transform: ["none", `translate(${end.left - start.left}px, ${end.top - start.top}px)`] },
			{ duration: slideTime, easing: "ease-in-out", fill: "forwards" });
		return tile;
	}

	// stop ends an animation at once.
	stop() {
		clearTimeout(this.timer);
		this.layer?.remove();
		this.layer = null;
		this.element.classList.remove("moving");
	}
}
