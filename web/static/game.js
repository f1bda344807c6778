// The page of a game: watching and replaying are the same.

import { Board } from "./board.js";
import { typing } from "./keys.js";
import { follow } from "./live.js";
import { localise, milliseconds, number } from "./moment.js";
import { Moves } from "./moves.js";
import { ExactPanel, MarksPanel, SearchPanel, SharePanel } from "./panels.js";
import { play, read, write } from "./rules.js";
import { Sides } from "./sides.js";

localise();

// Replay is a game with a cursor: the ply that is shown. It dispatches "ply" on root when the cursor has
// moved, and "plies" when the game has grown or ended.
class Replay {
  constructor(root) {
    this.root = root;
    this.id = Number(root.dataset.game);
    this.ply = Number(root.dataset.ply);
    this.live = "live" in root.dataset;
    this.searches = "searches" in root.dataset; // whether this visitor may see the bots' search reports
    this.following = this.live && this.ply === Number(root.dataset.plies);
    this.board = new Board(this.part("board"));
    this.sides = new Sides(root);
    this.list = new Moves(this.part("moves"), (ply) => this.jump(ply));
    this.variation = null; // {at: ply, moves, step} while moves that were not played are shown
  }

  part(name) { return this.root.querySelector(`[data-${name}]`); }

  // load gets the record and, unless the game is over, follows it.
  async load() {
    await this.reload({ quiet: true });
    this.listen();
    if (!this.over()) {
      this.stream = follow(`/api/games/${this.id}/live?seen=${this.id}-${this.moves.length}`, { frame: (f) => this.extend(f) });
    }
  }

  over() { return this.record.ending !== "unfinished"; }

  // reload takes the whole record anew.
  async reload(how) {
    const answer = await fetch(`/api/games/${this.id}`);
    if (!answer.ok) return;
    const game = await answer.json();
    this.record = game.record;
    this.live = game.live;
    this.part("result").textContent = game.result;
    this.positions = [read(game.record.start ?? this.emptyStart())];
    this.startPly = Number(game.record.start?.split(" ")[3] ?? 0);
    this.moves = [];
    this.times = [];
    this.lags = [];
    this.add(game.record.moves ?? [], game.record.times_us ?? [], game.record.lags_us ?? []);
    this.go(this.following ? this.moves.length : this.ply, how);
  }

  emptyStart() {
    const [width, height] = this.record.size.split("x").map(Number);
    return `${Array(height).fill(Array(width).fill(0).join(",")).join("/")} A 0 0`;
  }

  // add appends moves with their times.
  add(moves, times, lags) {
    for (const move of moves) {
      this.positions.push(play(this.positions.at(-1), move));
      this.moves.push(move);
    }
    this.times.push(...times);
    this.lags.push(...lags);
    this.list.show(this.moves, this.positions[0].side === "defender" ? 1 : 0);
    this.part("slider").max = this.moves.length;
    this.part("plies-text").textContent = this.moves.length;
    this.root.dispatchEvent(new Event("plies"));
  }

  // extend takes what a stream brings. Plies that a crash of the arena has undone, or that do not lead to
  // the position that the arena has, make it take the whole record anew.
  async extend(frame) {
    const known = this.moves.length;
    if (frame.from > known || frame.ply < known) return void await this.reload();
    this.add(frame.moves.slice(known - frame.from), frame.times_us.slice(known - frame.from), frame.lags_us.slice(known - frame.from));
    if (JSON.stringify(this.positions.at(-1).tiles) !== JSON.stringify(frame.tiles)) return void await this.reload();
    this.live = frame.live;
    this.clocks = frame.clocks;
    this.away = frame.away;
    this.part("result").textContent = frame.result;
    if (frame.ending !== "unfinished") return void await this.finish();
    if (this.following && !this.variation) this.go(this.moves.length);
    else this.sides.show(this.positions.at(-1).side, this.clocks, this.away);
  }

  // finish loads the record once more: now everybody may see the search reports.
  async finish() {
    this.stream?.close();
    this.clocks = this.away = undefined;
    this.searches = true;
    await this.reload({ quiet: true });
    this.following = false;
  }

  // jump goes to a ply so that the browser's back button returns.
  jump(ply) {
    if (ply === this.ply && !this.variation) return;
    clearTimeout(this.settling);
    history.replaceState(null, "", this.address());
    history.pushState(null, "", this.address());
    this.go(ply); // which settles the new entry
  }

  address() { return this.following ? location.pathname : `${location.pathname}?ply=${this.ply}`; }

  // go shows a ply. The address says which.
  go(ply, { quiet = false } = {}) {
    ply = Math.max(0, Math.min(ply, this.moves.length));
    const position = this.positions[ply], move = this.moves[ply - 1];
    const stepped = ply === this.ply + 1 && !this.variation;
    this.variation = null;
    this.part("variation").hidden = true;
    this.board.show(position, move, stepped ? this.positions[ply - 1] : null);
    const moved = ply !== this.ply;
    this.ply = ply;
    this.following = this.live && ply === this.moves.length;
    this.write(ply, position, move);
    this.list.mark(ply);
    this.sides.show(this.positions.at(-1).side, this.clocks, this.away);
    if (moved && !quiet) {
      this.part("announcer").textContent = `ply ${ply}: ${move ?? "start"}, score ${position.score}`;
      this.settle();
    }
    this.root.dispatchEvent(new CustomEvent("ply", { detail: { ply } }));
  }

  write(ply, position, move) {
    this.part("score").textContent = number(position.score);
    this.part("ply-text").textContent = ply;
    this.part("move").textContent = move ?? "";
    this.part("spent").textContent = ply > 0 && this.times[ply - 1] !== undefined ? milliseconds(this.times[ply - 1]) : "";
    this.part("slider").value = ply;
    this.part("slider").setAttribute("aria-valuetext", `ply ${ply}${move ? `, ${move}` : ""}`);
    const pause = this.pauseText(ply);
    this.part("pause").textContent = pause;
    this.part("pause").hidden = !pause;
  }

  // settle puts the ply into the address, a moment later: browsers allow only so many changes a second.
  settle() {
    clearTimeout(this.settling);
    if (this.following && location.pathname + location.search === this.address()) return;
    this.settling = setTimeout(() => history.replaceState(null, "", this.address()), 60);
  }

  // pauseText says for how long the clock of a ply's move stood still.
  pauseText(ply) {
    const last = this.moves.length, parts = [];
    for (const p of this.record.pauses ?? []) {
      if (p.ply !== ply - 1 && !(p.ply === last && ply === last)) continue;
      if (p.away_us) parts.push(`${milliseconds(p.away_us)} because the bot was disconnected`);
      if (p.stall_us) parts.push(`${milliseconds(p.stall_us)} because the arena itself stood still`);
    }
    return parts.length ? `The clock stood still for ${parts.join(", and for ")}.` : "";
  }

  // tryOut shows the first steps of moves that were not played from a ply on.
  tryOut(at, moves, steps) {
    let before = null, position = this.positions[at];
    for (const move of moves.slice(0, steps)) [before, position] = [position, play(position, move)];
    this.variation = { at, moves, steps };
    this.board.show(position, moves[steps - 1], before);
    this.part("variation").hidden = false;
    this.part("variation-text").textContent = `What the bot expected: ${moves.slice(0, steps).join(" ")}. Not played.`;
    this.part("score").textContent = number(position.score);
    this.part("announcer").textContent = `variation, ${moves[steps - 1]}, score ${position.score}`;
    this.root.dispatchEvent(new Event("variation"));
  }

  // text returns the shown position of the game in the notation.
  text() { return write(this.positions[this.ply], this.startPly + this.ply); }

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
    this.part("variation-back").addEventListener("click", () => this.go(this.ply));
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("popstate", () => {
      clearTimeout(this.settling);
      this.go(Number(new URLSearchParams(location.search).get("ply") ?? this.moves.length), { quiet: true });
    });
  }

  key(event) {
    if (typing(event)) return;
    const step = event.shiftKey ? 10 : 1;
    const keys = {
      ArrowLeft: () => this.go(this.ply - step), ArrowRight: () => this.go(this.ply + step), Home: () => this.go(0), End: () => this.go(this.moves.length),
      " ": () => this.toggle(), Escape: () => this.variation && this.go(this.ply), m: () => this.nextMistake?.(), x: () => this.exact?.toggle(),
      e: () => location.assign(`/analysis?position=${encodeURIComponent(this.text())}`),
    };
    if (!keys[event.key] || event.key === " " && event.target.matches?.("button, a, summary")) return;
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
  await replay.load();
  root.replay = replay;
  new SearchPanel(replay);
  new SharePanel(replay);
  replay.exact = new ExactPanel(replay);
  const marks = new MarksPanel(replay);
  replay.nextMistake = () => marks.next();
  const { Plots } = await import("./plots.js"); // after the board: they are the heaviest part
  new Plots(replay);
}
