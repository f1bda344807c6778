// The page on which a person plays against a bot, or looks at two bots move by move.

import { Board } from "./board.js";
import { Client, post } from "./client.js";
import { say as notice } from "./live.js";
import { number } from "./moment.js";
import { legal, play, slide, write } from "./rules.js";
import { Sides } from "./sides.js";

const root = document.querySelector("[data-play]");
const part = (name) => root.querySelector(`[data-${name}]`);
const button = (name) => root.querySelector(`[data-do=${name}]`);
const directions = { N: "up", S: "down", W: "left", E: "right" };
const slideKeys = {
  ArrowUp: "N", ArrowDown: "S", ArrowLeft: "W", ArrowRight: "E",
  w: "N", s: "S", a: "W", d: "E", k: "N", j: "S", h: "W", l: "E",
};
const endings = {
  mate: "No slide is left", "illegal-move": "An illegal move", time: "Out of time", disconnect: "The connection was lost", resigned: "Resigned",
  "max-turns": "The limit of turns is reached", "max-tile": "The limit of tiles is reached", decided: "The match is decided", unfinished: "Interrupted",
};
const other = { attacker: "defender", defender: "attacker" };

// Table is the board with what surrounds it, whoever plays.
class Table {
  constructor() {
    this.board = new Board(part("area").querySelector("[data-board]"));
    this.sides = new Sides(root);
    this.cursor = null;
  }

  // show shows a position after a move from the one before.
  show(position, ply, move, before) {
    this.board.show(position, move, before);
    Object.assign(this, { position, ply });
    part("score").textContent = number(position.score);
    part("ply-text").textContent = ply;
    part("last").textContent = move ? `· ${move}` : "";
    this.point();
  }

  players(names) {
    part("players").hidden = false;
    for (const [side, name] of Object.entries(names)) root.querySelector(`[data-player=${side}]`).textContent = name;
  }

  // point shows the cell on which the keys of an attacker stand.
  point() {
    const area = part("area");
    for (const cell of area.querySelectorAll(".cursor")) cell.classList.remove("cursor");
    if (this.cursor) this.board.cell(...this.cursor)?.classList.add("cursor");
  }

  // step moves that cell.
  step(x, y) {
    const [width, height] = [this.position.tiles[0].length, this.position.tiles.length];
    const [oldX, oldY] = this.cursor ?? [0, 0];
    this.cursor = this.cursor ? [(oldX + x + width) % width, (oldY + y + height) % height] : [0, 0];
    this.point();
    say(`column ${this.cursor[0] + 1}, row ${this.cursor[1] + 1}: ${this.position.tiles[this.cursor[1]][this.cursor[0]] || "empty"}`);
  }
}

const say = (text) => { part("say").textContent = text; };
const show = (...names) => { for (const b of root.querySelectorAll("[data-do]")) b.hidden = !names.includes(b.dataset.do); };

// emptyBoard returns the position before the first move.
function emptyBoard(size) {
  const [width, height] = size.split("x").map(Number);
  return { tiles: Array.from({ length: height }, () => Array(width).fill(0)), side: "attacker", score: 0 };
}

// whyNot says why a slide is illegal.
function whyNot(tiles, move) {
  if (slide(tiles, move)) return "";
  return `You cannot slide ${directions[move]}: every tile is against the edge or a different tile, so nothing would move.`;
}

// Match is a person's game against a bot, and those that follow it.
class Match {
  constructor(table, asked) {
    Object.assign(this, { table, asked, mine: [], over: false });
  }

  // begin asks for the game and connects.
  async begin(start) {
    show();
    say("The bot takes its seat …");
    const { name, opponent, role, rules, size, move_ms, recorded } = this.asked;
    const invitation = await post("/api/play", { name, opponent, role, rules, size, move_ms, recorded, start: start ?? "" });
    this.client = new Client(invitation.name, invitation.token, {
      start: (m) => this.start(m), request: (m) => this.request(m), over: (m) => this.end(m),
      refusal: (m) => this.fail(m.message), goodbye: (m) => { if (!this.over) this.fail(m.reason); },
      error: (m) => say(m.message),
      lost: () => notice("The connection is lost. This page tries to come back."), back: () => notice(""),
      closed: (why) => { if (why) this.fail(why); },
    });
    this.name = invitation.name;
  }

  fail(why) {
    notice("");
    this.over = true;
    this.table.sides.show(null);
    say(why);
    show("again");
  }

  start(m) {
    this.id = m.game;
    this.role = m.role;
    this.clock = m.clock.move_ms;
    this.fours = m.rules === "gpcc2016";
    this.over = false;
    if (!m.resumed) this.mine = this.kept ?? [];
    this.kept = null;
    this.table.cursor = null;
    this.table.players({ [m.role]: this.name, [other[m.role]]: m.rules === "solo" ? "chance" : m.opponent });
    const side = m.ply === 0 && m.score === 0 && m.board.flat().every((t) => !t) ? "attacker" : this.side(m);
    this.table.show({ tiles: m.board, score: m.score, side }, m.ply);
    part("tile").hidden = !(this.fours && m.role === "attacker");
    part("hint").hidden = true;
    const first = this.leg === 1 && m.leg === 2 ? "Second game. " : "";
    this.leg = m.leg;
    say(`${first}You ${m.role === "attacker" ? "attack" : "defend"}. ${m.role === other[side] ? "The bot begins." : "It is your move."}`);
    this.wait();
    part("area").focus({ preventScroll: true });
  }

  // side returns who is to move at the start of a game from a position: plies count from the attacker's.
  side(m) { return m.ply % 2 ? "defender" : "attacker"; }

  wait() {
    this.turn = false;
    this.table.sides.show(other[this.role], { turn_ms: this.clock, spent_ms: 0 });
    show();
  }

  // request shows the other side's answer and waits for the person.
  request(m) {
    const before = this.table.position, move = m.moves.at(-1);
    const position = { tiles: m.board, score: m.score, side: this.role };
    this.table.show(position, m.ply, move, move && before.side !== this.role ? before : null);
    this.table.sides.show(this.role, m.left_ms === null ? {} : { turn_ms: m.left_ms, spent_ms: 0 });
    this.mine.push({ position, ply: m.ply });
    this.turn = true;
    say(`${move ? `The bot plays ${move}. ` : ""}Your move: ${this.role === "defender" ? "slide" : "place a tile"}.`);
    const casual = !this.asked.recorded;
    show("resign", ...(casual ? ["hint"] : []), ...(casual && this.mine.length > 1 ? ["undo"] : []));
  }

  // move plays a person's move, or says why it cannot be played.
  move(move) {
    if (!this.turn) return void say(this.over ? "The game is over." : "It is the bot's move.");
    const { position, ply } = this.table;
    if (!legal(position, this.fours).includes(move)) {
      return void say(this.role === "defender" ? whyNot(position.tiles, move) : "You cannot place a tile there: the cell is taken.");
    }
    if (!this.client.move(move)) return;
    part("hint").hidden = true;
    this.table.show(play(position, move), ply + 1, move, position);
    this.wait();
    say("The bot thinks …");
  }

  // end says how a game ended. The second game of a match may begin before that is known of the first.
  end(m) {
    root.dispatchEvent(new CustomEvent("over", { detail: m }));
    if (m.game !== this.id) return void say(`The first game ended with ${number(m.score)} points (${m.ending}). ${part("say").textContent}`);
    this.over = true;
    this.turn = false;
    this.table.sides.show(null);
    const scores = m.match.opponent_score === null || m.match.your_score === null ? "" : ` The match: you ${number(m.match.your_score)}, the bot ${number(m.match.opponent_score)}.`;
    const who = m.winner ? ` ${m.winner === this.role ? "You win" : "The bot wins"} by it.` : "";
    part("score").textContent = number(m.score);
    say(`${endings[m.ending] ?? m.ending}: ${number(m.score)} points for ${this.role === "defender" ? "you" : "the bot"}.${who}${scores}${m.detail ? ` (${m.detail})` : ""}`);
    if (this.asked.recorded && this.leg === 1 && m.match.opponent_score === null) return show();
    show(...(this.asked.rules === "solo" ? [] : ["swap"]), "again", ...(!this.asked.recorded && this.mine.length > 1 ? ["undo"] : []));
  }

  // undo goes back to the person's move before: a new game from that position.
  async undo() {
    if (this.asked.recorded || this.mine.length < 1 || (!this.over && this.mine.length < 2)) return;
    if (!this.over) this.mine.pop();
    const { position, ply } = this.mine.pop();
    this.kept = this.mine;
    await this.leave();
    await this.begin(write(position, ply));
  }

  async hint() {
    const { position, ply } = this.table;
    const bot = this.asked.connected ? "evminimax" : this.asked.opponent;
    say("The bot thinks about your move …");
    const answer = await post("/api/hint", { bot, rules: this.asked.rules, position: write(position, ply) });
    showHint(bot, answer);
    say(`A hint: ${bot} would play ${answer.move}.`);
  }

  async leave() {
    this.over = true;
    await this.client?.leave();
  }
}

// showHint lists what a bot thinks of the moves.
function showHint(bot, { move, search }) {
  const box = part("hint");
  const title = document.createElement("h3");
  title.textContent = `${bot} would play ${move}`;
  const list = document.createElement("ol");
  for (const m of (search?.moves ?? []).slice(0, 6)) {
    const item = document.createElement("li");
    item.textContent = `${m.move}: ${number(Math.round(m.value))}${m.visits ? ` (${number(m.visits)} visits)` : ""}`;
    list.append(item);
  }
  box.replaceChildren(title, list);
  box.hidden = false;
}

// Steps is a game of two bots, a move at a time.
class Steps {
  constructor(table, asked) {
    Object.assign(this, { table, asked, past: [] });
  }

  begin() {
    const { table, asked } = this;
    table.players({ attacker: asked.attacker, defender: asked.defender });
    table.show(emptyBoard(asked.size), 0);
    say("Press One move, or Play on.");
    this.offer();
  }

  offer() {
    button("run").textContent = this.running ? "Pause" : "Play on";
    show(...(this.done() ? ["again"] : ["step", "run"]), ...(this.past.length ? ["undo"] : []));
  }

  done() { return legal(this.table.position, false).length === 0; }

  async step() {
    if (this.busy || this.done()) return;
    this.busy = true;
    const { position, ply } = this.table;
    try {
      const answer = await post("/api/hint", { bot: this.asked[position.side], rules: this.asked.rules, position: write(position, ply) });
      this.past.push({ position, ply });
      this.table.show(play(position, answer.move), ply + 1, answer.move, position);
      showHint(this.asked[position.side], answer);
      say(this.done() ? `The game is over: ${number(this.table.position.score)} points.` : `The ${position.side} plays ${answer.move}.`);
    } finally {
      this.busy = false;
      this.offer();
    }
  }

  async run() {
    this.running = !this.running;
    this.offer();
    while (this.running && !this.done()) await this.step();
    this.running = false;
    this.offer();
  }

  undo() {
    this.running = false;
    const last = this.past.pop();
    if (last) this.table.show(last.position, last.ply);
    this.offer();
  }

  move() {}
  async leave() { this.running = false; }
}

const table = new Table();
const form = part("form");
let game = null;

// asked returns the game that the form describes.
function asked() {
  const field = form.elements;
  const option = field.opponent.selectedOptions[0];
  const connected = "connected" in option.dataset;
  const options = field.options.value.trim();
  const opponent = connected || !options ? option.value : `${option.value}:${options}`;
  const mode = field.mode.value;
  if (mode === "bots") return { mode, attacker: field.rules.value === "solo" ? "chance" : opponent, defender: field.second.value, rules: field.rules.value, size: field.size.value };
  return { mode, opponent, connected, role: mode, rules: field.rules.value, size: field.size.value, move_ms: Number(field.clock.value), name: field.name.value, recorded: field.recorded.checked };
}

// begin starts a game, once the one before is left.
async function begin(what) {
  part("wrong").hidden = true;
  part("start").disabled = true;
  try {
    await game?.leave();
    notice("");
    part("hint").hidden = true;
    root.game = game = what.mode === "bots" ? new Steps(table, what) : new Match(table, what);
    await game.begin();
  } finally {
    part("start").disabled = false;
  }
}

// attempt does something and shows why it fails.
async function attempt(what) {
  try {
    await what();
  } catch (error) {
    part("wrong").textContent = error.message;
    part("wrong").hidden = false;
    say(error.message);
  }
}

function press(name) {
  if (!game) return;
  const swap = () => begin({ ...game.asked, role: other[game.asked.role], mode: other[game.asked.role] });
  attempt({
    step: () => game.step(), run: () => game.run(), undo: () => game.undo(), hint: () => game.hint(),
    resign: () => { game.client.resign(); }, swap, again: () => begin(game.asked),
  }[name]);
}

function key(event) {
  const target = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey || target.matches?.("input:not([name=tile]), select, textarea")) return;
  if (event.key === "?") return void (root.querySelector("details").open = true);
  if (!game) return;
  if (event.key === "u" && !button("undo").hidden) return press("undo");
  if (game.role === "attacker") return attackerKey(event);
  const move = slideKeys[event.key] ?? slideKeys[event.key.toLowerCase()];
  if (!move) return;
  event.preventDefault();
  game.move(move);
}

function attackerKey(event) {
  const steps = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
  if (steps[event.key]) table.step(...steps[event.key]);
  else if (event.key === "Enter" && !event.target.matches?.("button, a, summary")) place(...(table.cursor ?? []));
  else if ((event.key === "2" || event.key === "4") && !part("tile").hidden) root.querySelector(`[name=tile][value="${event.key}"]`).checked = true;
  else return;
  event.preventDefault();
}

// place places the chosen tile on a cell.
function place(x, y) {
  if (x === undefined || game?.role !== "attacker") return;
  const four = !part("tile").hidden && root.querySelector("[name=tile]:checked").value === "4";
  game.move(`(${x + 1},${y + 1}${four ? ",4" : ""})`);
}

// swipes turns a stroke of a finger into a slide.
function swipes(area) {
  let from = null;
  area.addEventListener("pointerdown", (event) => { from = [event.clientX, event.clientY]; });
  area.addEventListener("pointercancel", () => { from = null; });
  area.addEventListener("pointerup", (event) => {
    if (!from || game?.role !== "defender") return;
    const [x, y] = [event.clientX - from[0], event.clientY - from[1]];
    from = null;
    if (Math.max(Math.abs(x), Math.abs(y)) < 24) return;
    game.move(Math.abs(x) > Math.abs(y) ? (x > 0 ? "E" : "W") : y > 0 ? "S" : "N");
  });
}

const area = part("area");
document.addEventListener("keydown", key);
area.addEventListener("click", (event) => {
  const cell = event.target.closest("[role=gridcell]");
  const at = cell && /x(\d) y(\d)/.exec(cell.className);
  if (at) place(at[1] - 1, at[2] - 1);
});
swipes(area);
part("actions").addEventListener("click", (event) => { if (event.target.dataset.do) press(event.target.dataset.do); });
form.addEventListener("submit", (event) => { event.preventDefault(); attempt(() => begin(asked())); });
form.addEventListener("change", () => {
  const bots = form.elements.mode.value === "bots";
  part("second").hidden = !bots;
  for (const field of root.querySelectorAll("[data-person]")) field.hidden = bots;
  form.querySelector("[for=opponent]").textContent = bots ? "Attacking bot" : "Opponent";
  if (form.elements.rules.value === "solo" && form.elements.mode.value === "attacker") form.elements.mode.value = "defender";
});
setInterval(() => {
  for (const clock of root.querySelectorAll("[data-clock]")) clock.classList.toggle("low", /^\d\.\d$/.test(clock.textContent));
}, 200);
