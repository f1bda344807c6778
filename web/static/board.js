// A board on the page: the cells that the server made, and above them tiles that move.

import { placement, slide } from "./rules.js";

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const slideTime = 110; // milliseconds

export class Board {
  // element is a [data-board], or any empty element if size is {width, height}.
  constructor(element, size) {
    this.element = element;
    if (size) this.resize(size.width, size.height);
    this.layer = null;
  }

  // resize makes the cells of a board anew.
  resize(width, height) {
    this.element.className = this.element.className.replace(/\b[wh]\d\b/g, "").trim();
    this.element.classList.add("board", `w${width}`, `h${height}`);
    this.element.setAttribute("role", "grid");
    this.element.replaceChildren(...Array.from({ length: height }, (_, y) => {
      const row = document.createElement("div");
      row.setAttribute("role", "row");
      row.append(...Array.from({ length: width }, (_, x) => {
        const cell = document.createElement("div");
        cell.className = `cell x${x + 1} y${y + 1}`;
        cell.setAttribute("role", "gridcell");
        return cell;
      }));
      return row;
    }));
  }

  // show shows a position. If before is the position one move earlier, the move is animated.
  show(position, move, before) {
    const { tiles } = position;
    const rows = this.element.querySelectorAll("[role=row]");
    if (rows.length !== tiles.length || rows[0].children.length !== tiles[0].length) this.resize(tiles[0].length, tiles.length);
    this.stop();
    this.draw(position, move);
    if (before && move && !calm.matches && !document.hidden) this.animate(before.tiles, tiles, move);
  }

  // draw writes the tiles into the cells.
  draw(position, move) {
    const put = move && placement(move);
    position.tiles.forEach((row, y) => row.forEach((tile, x) => {
      const cell = this.cell(x, y);
      cell.setAttribute("aria-label", `column ${x + 1}, row ${y + 1}: ${tile || "empty"}`);
      const old = cell.firstElementChild;
      if (!tile) return old?.remove();
      const span = old ?? cell.appendChild(document.createElement("span"));
      span.className = `tile t${tile}${put && put.x === x && put.y === y ? " placed" : ""}`;
      span.setAttribute("aria-hidden", "true");
      span.textContent = tile;
    }));
    this.element.setAttribute("aria-label",
      `Board of ${position.tiles[0].length}x${position.tiles.length}, the ${position.side} to move, score ${position.score}`);
  }

  cell(x, y) { return this.element.querySelector(`.x${x + 1}.y${y + 1}`); }

  // animate moves copies of the tiles from where they were, over the cells.
  animate(from, to, move) {
    const put = placement(move);
    if (put) {
      this.cell(put.x, put.y).firstElementChild.animate(
        [{ transform: "scale(.3)", opacity: 0 }, { transform: "scale(1)", opacity: 1 }], { duration: slideTime, easing: "ease-out" });
      return;
    }
    const slid = slide(from, move);
    if (!slid) return;
    const frame = this.element.getBoundingClientRect();
    this.layer = document.createElement("div");
    this.layer.className = "moving-tiles";
    this.layer.setAttribute("aria-hidden", "true");
    this.element.classList.add("moving");
    this.element.append(this.layer);
    for (const step of slid.steps) this.layer.append(this.mover(step, from, frame));
    const done = () => {
      if (!this.layer) return;
      this.stop();
      for (const step of slid.steps) {
        if (step.merged) {
          this.cell(step.to[0], step.to[1]).firstElementChild?.animate(
            [{ transform: "scale(1)" }, { transform: "scale(1.12)" }, { transform: "scale(1)" }], { duration: slideTime });
        }
      }
    };
    this.timer = setTimeout(done, slideTime);
  }

  // mover returns a tile that moves by a step.
  mover(step, tiles, frame) {
    const start = this.cell(step.from[0], step.from[1]).getBoundingClientRect();
    const end = this.cell(step.to[0], step.to[1]).getBoundingClientRect();
    const value = tiles[step.from[1]][step.from[0]];
    const tile = document.createElement("span");
    tile.className = `tile t${value}`;
    tile.textContent = value;
    Object.assign(tile.style, {
      inset: "auto", left: `${start.left - frame.left}px`, top: `${start.top - frame.top}px`, width: `${start.width}px`, height: `${start.height}px`,
    });
    tile.animate([{ transform: "none" }, { transform: `translate(${end.left - start.left}px, ${end.top - start.top}px)` }],
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
