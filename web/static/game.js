// The page of a game: watching and replaying are the same.

import { Board } from "./board.js";
import { follow } from "./live.js";
import { localise, number } from "./moment.js";
import { play, read } from "./rules.js";
import { Sides } from "./sides.js";

localise();

// Replay is a game with a cursor: the ply that is shown.
class Replay {
  constructor(root) {
    this.root = root;
    this.id = Number(root.dataset.game);
    this.ply = Number(root.dataset.ply);
    this.live = "live" in root.dataset;
    this.following = this.live && this.ply === Number(root.dataset.plies);
    this.board = new Board(this.part("board"));
    this.sides = new Sides(root);
    this.positions = [];
    this.moves = [];
  }

  part(name) { return this.root.querySelector(`[data-${name}]`); }

  // load gets the record and, while the game is in progress, follows it.
  async load() {
    const answer = await fetch(`/api/games/${this.id}`);
    if (!answer.ok) return;
    this.take(await answer.json());
    this.listen();
    this.go(this.following ? this.moves.length : this.ply, { quiet: true });
    if (this.live) this.stream = follow(`/api/games/${this.id}/live?seen=${this.id}-${this.moves.length}`, { frame: (f) => this.extend(f) });
  }

  // take replaces the record.
  take(game) {
    this.record = game.record;
    this.live = game.live;
    this.positions = [read(game.record.start ?? this.emptyStart())];
    this.moves = [];
    this.part("moves").querySelector("ol").replaceChildren();
    this.add(game.record.moves ?? []);
  }

  emptyStart() {
    const [width, height] = this.record.size.split("x").map(Number);
    return `${Array(height).fill(Array(width).fill(0).join(",")).join("/")} A 0 0`;
  }

  // add appends moves.
  add(moves) {
    const list = this.part("moves").querySelector("ol");
    for (const move of moves) {
      const before = this.positions.at(-1);
      this.positions.push(play(before, move));
      this.moves.push(move);
      const link = document.createElement("a");
      link.href = `?ply=${this.moves.length}`;
      link.dataset.to = this.moves.length;
      link.textContent = move;
      if (before.side === "attacker" || !list.lastElementChild) list.append(document.createElement("li"));
      list.lastElementChild.append(link, " ");
    }
    this.part("slider").max = this.moves.length;
    this.part("plies-text").textContent = this.moves.length;
  }

  // extend takes what a stream brings.
  extend(frame) {
    if (frame.from > this.moves.length) return void this.reload();
    this.add(frame.moves.slice(this.moves.length - frame.from));
    this.clocks = frame.clocks;
    if (!frame.live) this.finish();
    if (this.following) this.go(this.moves.length);
    else this.sides.show(this.positions.at(-1).side, frame.clocks);
  }

  async reload() {
    const answer = await fetch(`/api/games/${this.id}`);
    if (answer.ok) this.take(await answer.json());
    this.go(this.following ? this.moves.length : this.ply);
  }

  // finish loads the record once more: now it has search reports and the ending.
  async finish() {
    this.stream?.close();
    this.live = false;
    this.clocks = undefined;
    const answer = await fetch(`/api/games/${this.id}`);
    if (!answer.ok) return;
    this.record = (await answer.json()).record;
    const { ending, detail } = this.record;
    this.part("result").textContent = `${ending}, ${number(this.positions.at(-1).score)} points${detail ? `: ${detail}` : ""}`;
    this.go(this.ply, { quiet: true });
  }

  // go shows a ply. The address says which.
  go(ply, { quiet = false } = {}) {
    ply = Math.max(0, Math.min(ply, this.moves.length));
    const position = this.positions[ply], move = this.moves[ply - 1];
    this.board.show(position, move, ply === this.ply + 1 ? this.positions[ply - 1] : null);
    const moved = ply !== this.ply;
    this.ply = ply;
    this.following = this.live && ply === this.moves.length;
    this.part("score").textContent = number(position.score);
    this.part("ply-text").textContent = ply;
    this.part("move").textContent = move ?? "";
    this.part("slider").value = ply;
    this.part("slider").setAttribute("aria-valuetext", `ply ${ply}${move ? `, ${move}` : ""}`);
    this.mark(ply);
    this.sides.show(position.side, ply === this.moves.length ? this.clocks : undefined);
    if (moved && !quiet) this.announce(ply, move, position);
    const address = this.following ? location.pathname : `?ply=${ply}`;
    if (moved && !quiet) history.replaceState(null, "", address);
    this.root.dispatchEvent(new CustomEvent("ply", { detail: { ply } }));
  }

  mark(ply) {
    const list = this.part("moves");
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const link = list.querySelector(`[data-to="${ply}"]`);
    link?.setAttribute("aria-current", "true");
    if (link) list.scrollTop = link.offsetTop - list.offsetTop - list.clientHeight / 2;
  }

  announce(ply, move, position) {
    this.part("announcer").textContent = `ply ${ply}: ${move ?? "start"}, score ${position.score}`;
  }

  // listen makes buttons, slider and keys work.
  listen() {
    const slider = this.part("slider");
    slider.hidden = false;
    slider.addEventListener("input", () => this.go(Number(slider.value)));
    const steps = { first: () => this.go(0), before: () => this.go(this.ply - 1), next: () => this.go(this.ply + 1), last: () => this.go(this.moves.length), play: () => this.toggle() };
    for (const button of this.root.querySelectorAll("[data-step]")) {
      button.hidden = false;
      button.addEventListener("click", (event) => { event.preventDefault(); steps[button.dataset.step](); });
    }
    this.part("moves").addEventListener("click", (event) => {
      const link = event.target.closest("[data-to]");
      if (!link || event.metaKey || event.ctrlKey) return;
      event.preventDefault();
      this.go(Number(link.dataset.to));
    });
    document.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input:not([type=range]), select, textarea")) return;
    const step = event.shiftKey ? 10 : 1;
    const keys = { ArrowLeft: () => this.go(this.ply - step), ArrowRight: () => this.go(this.ply + step), Home: () => this.go(0), End: () => this.go(this.moves.length), " ": () => this.toggle() };
    if (!keys[event.key] || event.key === " " && event.target.matches?.("button, a")) return;
    event.preventDefault();
    keys[event.key]();
  }

  // toggle plays the game by itself, or stops.
  toggle() {
    const button = this.root.querySelector("[data-step=play]");
    if (this.timer) {
      clearInterval(this.timer);
      this.timer = null;
    } else {
      if (this.ply === this.moves.length) this.go(0);
      this.timer = setInterval(() => (this.ply < this.moves.length ? this.go(this.ply + 1) : this.toggle()), 400);
    }
    button.textContent = this.timer ? "⏸" : "▶▶";
    button.setAttribute("aria-label", this.timer ? "pause" : "play");
  }
}

const root = document.querySelector("article.game");
if (root) {
  const replay = new Replay(root);
  replay.load();
  root.replay = replay;
}
