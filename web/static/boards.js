// All games of an event in progress, each on a small board. A board keeps its place: when its game is
// over, the next game that begins takes it.

import { Board } from "./board.js";
import { follow } from "./live.js";
import { clock, number } from "./moment.js";
import { read } from "./rules.js";

const root = document.querySelector("[data-boards]");
const part = (name) => root.querySelector(`[data-${name}]`);
const list = part("list");
const tiles = new Map();

class Tile {
  constructor(element) {
    this.element = element;
    this.board = new Board(element.querySelector("[data-board]"));
  }

  part(name) { return this.element.querySelector(`[data-${name}]`); }

  show(game) {
    const { element } = this;
    if (element.dataset.game !== String(game.game)) {
      element.dataset.game = game.game;
      this.part("link").href = `/games/${game.game}`;
      this.part("link").setAttribute("aria-label", `watch game ${game.game}`);
      element.dataset.ply = "";
      for (const side of ["attacker", "defender"]) this.part(`name=${side}`).textContent = game[side];
    }
    element.classList.remove("over");
    for (const side of ["attacker", "defender"]) this.part(`clock=${side}`).textContent = left(game, side);
    if (element.dataset.ply === String(game.ply)) return;
    element.dataset.ply = game.ply;
    const position = read(game.position);
    this.board.show(position, game.move, null);
    this.side = position.side;
    this.part("score").textContent = number(position.score);
    this.part("ply-text").textContent = game.ply;
  }
}

// left returns what a side's clock shows.
function left(game, side) {
  const { clocks } = game, moving = side === (/ D /.test(game.position) ? "defender" : "attacker"), spent = moving ? clocks.spent_ms : 0;
  const total = clocks[`${side}_ms`];
  if (total !== undefined) return clock(total - spent);
  return moving && clocks.turn_ms !== undefined ? clock(clocks.turn_ms - spent) : "";
}

for (const element of list.children) tiles.set(Number(element.dataset.game), new Tile(element));

// free returns a place for a game: that of one that is over, or a new one.
function free(playing) {
  for (const [game, tile] of tiles) {
    if (playing.has(game)) continue;
    tiles.delete(game);
    return tile;
  }
  const element = document.getElementById("small-board").content.firstElementChild.cloneNode(true);
  list.append(element);
  return new Tile(element);
}

const stream = follow(`/api/events/${root.dataset.event}/boards`, {
  state: (now) => {
    const playing = new Set(now.boards.map((b) => b.game));
    for (const game of now.boards) {
      if (!tiles.has(game.game)) tiles.set(game.game, free(playing));
      tiles.get(game.game).show(game);
    }
    for (const [game, tile] of tiles) tile.element.classList.toggle("over", !playing.has(game));
    part("state").textContent = now.state;
    part("count").textContent = now.boards.length;
    part("none").hidden = now.boards.length > 0;
  },
  end: () => stream.close(),
});
