// The page of a position: moves are played on the board, and everything beside it follows. What the
// page says about a position is made by the server: this module fetches it and puts it in place.

import { Board } from "./board.js";
import { number } from "./moment.js";
import { legal, play, read, write } from "./rules.js";

// events reads a stream of server-sent events and calls on[type] with the data of each. Unlike an
// EventSource it can tell why it was refused, and does not begin again.
async function events(url, signal, on) {
  const answer = await fetch(url, { signal });
  if (!answer.ok) throw new Error((await answer.json()).error);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; ;) {
    const { done, value } = await reader.read();
    if (done) return;
    const all = (text + value).split("\n\n");
    text = all.pop();
    for (const event of all) {
      const type = /^event: (.*)$/m.exec(event)?.[1], data = /^data: (.*)$/m.exec(event)?.[1];
      if (type) on[type]?.(JSON.parse(data));
    }
  }
}

// parse returns the part of a page that a selector finds, or null.
const parse = (page, selector) => new DOMParser().parseFromString(page, "text/html").querySelector(selector);

const element = (name, text, attributes = {}) => {
  const e = document.createElement(name);
  e.textContent = text;
  Object.assign(e, attributes);
  return e;
};

class Study {
  constructor(root) {
    this.root = root;
    this.rules = root.dataset.rules;
    this.board = new Board(this.part("board"));
    this.line = [{ text: root.dataset.position, address: location.href }];
    this.at = 0;
    this.editing = false;
    for (const hidden of ["steps", "copy", "edit", "opinion"]) this.part(hidden).hidden = false;
    this.listen();
    this.showLine();
    if (!this.part("problem")) this.explore();
  }

  part(name) { return this.root.querySelector(`[data-${name}]`); }
  get now() { return this.line[this.at]; }
  get position() { return read(this.now.text); }
  query(text = this.now.text) { return `position=${text.replaceAll(" ", "+")}&rules=${this.rules}`; }

  // play plays a move, after the position that is shown.
  play(move) {
    const before = this.position;
    if (this.editing || !legal(before, this.rules !== "gpcc2015").includes(move)) return;
    const text = write(play(before, move), Number(this.now.text.split(" ")[3] ?? 0) + 1);
    if (this.line[this.at + 1]?.text !== text) this.line.splice(this.at + 1, Infinity, { text, move, address: `/analysis?${this.query(text)}` });
    this.go(this.at + 1);
  }

  // go shows a position of the line.
  go(at) {
    at = Math.max(0, Math.min(at, this.line.length - 1));
    if (at === this.at || this.editing) return;
    const before = at === this.at + 1 ? this.position : null;
    this.at = at;
    this.root.querySelectorAll(".puts").forEach((e) => e.remove());
    this.board.show(this.position, this.now.move, before);
    history.replaceState(null, "", this.now.address);
    this.part("announcer").textContent = `${this.now.move ?? "start"}: score ${this.position.score}, the ${this.position.side} to move`;
    this.showLine();
    const { address, text } = this.now;
    this.load(address).then((page) => {
      if (!page || this.now.text !== text) return;
      this.take(page);
      this.explore();
      if (this.search) this.ask();
    });
  }

  // load returns what the server says about the position at an address: a page, or nothing if another
  // one was asked for meanwhile or the position is impossible.
  async load(address) {
    this.loading?.abort();
    const { signal } = this.loading = new AbortController();
    try {
      const answer = await fetch(address, { signal });
      const page = parse(await answer.text(), "[data-study]");
      this.complain(page ? page.querySelector("[data-problem]")?.textContent : "The arena did not answer with a position.");
      if (answer.ok) return page;
    } catch (error) {
      if (error.name !== "AbortError") this.complain("The arena cannot be reached.");
    }
  }

  // set shows the position of the form, from which a new line begins.
  async set() {
    const { position, rules } = this.part("setup").elements;
    const address = `/analysis?position=${encodeURIComponent(position.value.trim())}&rules=${rules.value}`;
    this.search?.abort();
    const page = await this.load(address);
    if (!page) return;
    this.edit(false);
    this.rules = page.dataset.rules;
    this.line = [{ text: page.dataset.position, address: `/analysis?${this.query(page.dataset.position)}` }];
    this.at = 0;
    history.pushState(null, "", this.now.address);
    this.board.show(this.position);
    this.showLine();
    this.take(page);
    this.explore();
  }

  // take puts the parts of another page into this one.
  take(page) {
    const focused = document.activeElement?.dataset?.play;
    for (const name of ["score", "moves"]) this.root.querySelector(`[data-panel=${name}]`).replaceWith(page.querySelector(`[data-panel=${name}]`).cloneNode(true));
    const slides = this.part("slides");
    slides.querySelectorAll(".slide").forEach((e) => e.remove());
    for (const slide of page.querySelectorAll(".slide")) slides.append(slide.cloneNode(true));
    this.root.querySelectorAll(".puts").forEach((e) => e.remove());
    for (const puts of page.querySelectorAll(".puts")) {
      const [, x, y] = /x(\d) y(\d)/.exec(puts.parentElement.className);
      const cell = this.root.querySelector(`.cell.x${x}.y${y}`);
      cell?.removeAttribute("aria-label"); // what can be placed there says where it is
      cell?.append(puts.cloneNode(true));
    }
    this.part("setup").elements.position.value = page.querySelector("#position").value;
    if (focused) slides.querySelector(`[data-play="${focused}"]`)?.focus();
  }

  complain(text) {
    let p = this.part("problem");
    if (!text) return p?.remove();
    if (!p) {
      p = element("p", "", { className: "wrong", role: "alert" });
      p.dataset.problem = "";
      this.part("setup").querySelector("h2").after(p);
    }
    p.textContent = text;
  }

  // showLine shows the moves that were played, each a button that leads back to it.
  showLine() {
    this.part("line").replaceChildren(...this.line.slice(1).map((step, i) => {
      const button = element("button", step.move, { type: "button", onclick: () => this.go(i + 1) });
      if (i + 1 === this.at) button.setAttribute("aria-current", "true");
      return button;
    }));
  }

  // explore counts what was played in the position.
  async explore() {
    this.exploring?.abort();
    const { signal } = this.exploring = new AbortController();
    const filter = new FormData(this.part("filter"));
    const query = `${this.query()}&bot=${encodeURIComponent(filter.get("bot"))}&event=${encodeURIComponent(filter.get("event"))}`;
    const say = (text) => this.root.querySelector("[data-panel=explorer]").querySelectorAll("[data-counting], [data-counted], .wrong").forEach((p) => { p.textContent = text; });
    try {
      await events(`/api/explorer/progress?${query}`, signal, {
        progress: ({ done, total }) => say(total ? `Counted ${number(done)} of ${number(total)} games …` : "Others are being counted first …"),
        problem: say,
      });
      const answer = await fetch(`/analysis?${query}&explorer=1`, { signal });
      const page = parse(await answer.text(), "[data-panel=explorer]");
      if (!page) return;
      const old = this.root.querySelector("[data-panel=explorer]"), focused = old.contains(document.activeElement) && document.activeElement.name;
      old.replaceWith(page);
      if (focused) page.querySelector(`[name="${focused}"]`)?.focus();
      this.root.dispatchEvent(new CustomEvent("explored"));
    } catch (error) {
      if (error.name !== "AbortError") say(error.message);
    }
  }

  // ask lets a bot search the position.
  async ask() {
    this.search?.abort();
    const search = this.search = new AbortController();
    const state = this.part("state"), root = this.now.text, bot = this.part("ask").elements.bot.value;
    this.part("toggle").textContent = "Stop";
    this.part("report").hidden = true;
    state.textContent = "Searching …";
    let end = "The connection to the arena is lost.";
    try {
      await events(`/api/analysis/live?${this.query(root)}&bot=${encodeURIComponent(bot)}`, search.signal, {
        opinion: (o) => { this.showOpinion(o, root); },
        problem: (text) => { end = text; },
        done: () => { end = `${state.textContent.replace(" …", "")} It has finished.`; },
      });
    } catch (error) {
      end = error.name === "AbortError" ? "Stopped." : error.message;
    }
    if (this.search !== search) return; // another one has begun
    this.search = null;
    state.textContent = end;
    this.part("toggle").textContent = "Ask";
  }

  showOpinion({ move, search }, root) {
    const effort = search?.playouts ? `${number(search.playouts)} playouts` : search?.nodes ? `${number(search.nodes)} positions` : "It does not search here";
    this.part("state").textContent = `Chooses ${move}. ${effort} …`;
    this.part("report").hidden = !search;
    if (!search) return;
    const variation = search.pv ?? [move];
    this.part("variation").replaceChildren(...variation.map((m, i) => element("button", m, { type: "button", onclick: () => this.playAll(variation.slice(0, i + 1), root) })));
    const visits = search.moves?.reduce((sum, m) => sum + (m.visits ?? 0), 0) || 1;
    this.part("values").replaceChildren(...(search.moves ?? []).map((m) => {
      const row = document.createElement("tr"), name = document.createElement("td"), share = document.createElement("td");
      name.append(element("button", m.move, { type: "button", className: "link", onclick: () => this.playAll([m.move], root) }));
      const bar = element("progress", "", { max: visits, value: m.visits ?? 0 });
      bar.setAttribute("aria-label", `share of the visits of ${m.move}`);
      share.append(bar);
      row.append(name, element("td", (m.value ?? 0).toFixed(1), { className: "n" }), element("td", number(m.visits ?? 0), { className: "n" }), share);
      return row;
    }));
  }

  // playAll plays moves from a position of the line. A search goes on in the position that they lead to.
  playAll(moves, from) {
    const at = this.line.findIndex((step) => step.text === from);
    if (at < 0) return;
    this.go(at);
    for (const move of moves) this.play(move);
  }

  // edit lets the tiles be set by hand, or ends that.
  edit(on = !this.editing) {
    this.editing = on;
    this.part("edit").setAttribute("aria-pressed", on);
    this.part("editor").hidden = !on;
    this.root.classList.toggle("editing", on);
    if (!on) return;
    this.search?.abort();
    this.root.querySelectorAll(".puts").forEach((e) => e.remove());
    this.tiles = this.position.tiles;
    this.showEdited();
  }

  // showEdited shows the tiles that were set, and writes the position into the form.
  showEdited() {
    this.board.show({ tiles: this.tiles, side: "attacker", score: 0 });
    for (const cell of this.part("board").querySelectorAll(".cell")) cell.tabIndex = 0;
    const rows = this.tiles.map((row) => row.join(",")).join("/");
    this.part("setup").elements.position.value = `${rows} ${this.part("side").value} ${this.part("score").value}`.trim();
  }

  put(cell) {
    const [, x, y] = /x(\d) y(\d)/.exec(cell.className).map(Number);
    const chosen = this.part("tile").value, old = this.tiles[y - 1][x - 1];
    this.tiles[y - 1][x - 1] = chosen === "next" ? (old === 65536 ? 0 : old * 2 || 2) : Number(chosen);
    this.showEdited();
  }

  resize(size) {
    const [width, height] = size.split("x").map(Number);
    this.tiles = Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => this.tiles[y]?.[x] ?? 0));
    this.showEdited();
  }

  // listen makes links, buttons, forms and keys work.
  listen() {
    this.root.addEventListener("click", (event) => {
      const link = event.target.closest("[data-play]"), cell = event.target.closest("[data-board] .cell");
      if (this.editing && cell) this.put(cell);
      if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      this.play(link.dataset.play);
    });
    const steps = { first: () => this.go(0), before: () => this.go(this.at - 1), next: () => this.go(this.at + 1), last: () => this.go(this.line.length - 1) };
    for (const button of this.root.querySelectorAll("[data-step]")) button.addEventListener("click", () => steps[button.dataset.step]());
    this.part("copy").addEventListener("click", () => this.copy());
    this.part("edit").addEventListener("click", () => this.edit());
    for (const name of ["side", "score"]) this.part(name).addEventListener("input", () => this.showEdited());
    this.part("size").addEventListener("change", (event) => this.resize(event.target.value));
    this.part("clear").addEventListener("click", () => { this.tiles = this.tiles.map((row) => row.map(() => 0)); this.showEdited(); });
    this.root.addEventListener("submit", (event) => {
      event.preventDefault();
      if (event.target.matches("[data-setup]")) return void this.set();
      if (event.target.matches("[data-filter]")) return void this.explore();
      if (this.search) this.search.abort();
      else this.ask();
    });
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("pagehide", () => this.search?.abort());
    addEventListener("popstate", () => location.reload());
  }

  async copy() {
    const field = this.part("setup").elements.position, button = this.part("copy");
    field.select();
    try { await navigator.clipboard.writeText(field.value); } catch { document.execCommand("copy"); } // without https
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input, select, textarea")) return;
    if (this.editing) {
      if (![" ", "Enter"].includes(event.key) || !event.target.matches?.(".cell")) return;
      event.preventDefault();
      return this.put(event.target);
    }
    const step = event.shiftKey ? 10 : 1;
    const keys = {
      ArrowLeft: () => this.go(this.at - step), ArrowRight: () => this.go(this.at + step), Home: () => this.go(0), End: () => this.go(this.line.length - 1),
      w: () => this.play("N"), a: () => this.play("W"), s: () => this.play("S"), d: () => this.play("E"),
      k: () => this.play("N"), h: () => this.play("W"), j: () => this.play("S"), l: () => this.play("E"),
      e: () => this.part("filter").closest("section").focus(), x: () => this.part("exact").focus(),
    };
    if (!keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  }
}

const root = document.querySelector("[data-study]");
if (root) root.study = new Study(root);
