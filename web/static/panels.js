// What the page of a game shows beside the board: the search behind the ply, exact values, the plies
// worth looking at, and what can be taken away.

import { milliseconds, number } from "./moment.js";

// element makes an element with a text and attributes.
function element(kind, text, attributes = {}) {
  const made = document.createElement(kind);
  made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

const chunk = 64; // reports that one request brings

// SearchPanel shows the search report of the ply.
export class SearchPanel {
  constructor(replay) {
    this.replay = replay;
    this.chunks = new Map(); // promises of reports, by the first ply
    this.absent = false;
    replay.root.addEventListener("ply", () => this.show());
    replay.root.addEventListener("variation", () => this.markLine());
    replay.root.addEventListener("plies", () => { this.chunks.clear(); this.absent = false; });
    this.show();
  }

  // report returns the report of a ply, null without one.
  async report(ply) {
    const from = Math.floor((ply - 1) / chunk) * chunk + 1;
    if (!this.chunks.has(from)) {
      this.chunks.set(from, fetch(`/api/games/${this.replay.id}/searches?from=${from}`).then((answer) => (answer.ok ? answer.json() : { searches: [] })));
    }
    const { searches } = await this.chunks.get(from);
    if (!searches.length && from === 1) this.absent = true; // the event records none
    return searches[ply - from] ?? null;
  }

  async show() {
    const { replay } = this, { ply } = replay, panel = replay.part("search");
    if (!replay.searches || !ply || this.absent) return void (panel.hidden = true);
    const report = await this.report(ply).catch(() => null);
    if (ply !== replay.ply) return; // another one was asked for meanwhile
    panel.hidden = !report;
    if (report) this.fill(report, ply);
  }

  fill(report, ply) {
    const { replay } = this;
    const mover = replay.positions[ply - 1].side, played = replay.moves[ply - 1];
    const facts = [`${replay.record[mover]}, the ${mover}, before ${played}`];
    if (report.playouts) facts.push(`${number(report.playouts)} playouts`);
    if (report.nodes) facts.push(`${number(report.nodes)} nodes`);
    if (report.time_us) facts.push(milliseconds(report.time_us));
    replay.part("search-facts").textContent = facts.join(" · ");
    const moves = report.moves ?? [], most = Math.max(1, ...moves.map((m) => m.visits ?? 0));
    replay.part("search-moves").replaceChildren(...moves.map((m) => this.row(m, played, most)));
    this.line = report.pv ?? [];
    const words = this.line.map((move, i) => {
      const button = element("button", move, { type: "button", "aria-pressed": "false" });
      button.addEventListener("click", () => replay.tryOut(ply - 1, this.line, i + 1));
      return button;
    });
    const line = replay.part("search-line");
    line.hidden = !words.length;
    line.replaceChildren(element("span", "expected line: "), ...words);
    this.markLine();
  }

  row(m, played, most) {
    const row = document.createElement("tr");
    const name = element("td", m.move);
    if (m.move === played) name.append(" ", element("strong", "played"));
    const bar = element("td", "", { class: "bars" }), ink = element("span", "");
    ink.style.width = `${(100 * (m.visits ?? 0)) / most}%`;
    bar.append(ink);
    row.append(name, element("td", (m.value ?? 0).toFixed(1), { class: "n" }), element("td", m.visits ? number(m.visits) : "–", { class: "n" }), bar);
    return row;
  }

  // markLine shows how far the expected line is on the board.
  markLine() {
    const steps = this.replay.variation?.steps ?? 0;
    this.replay.part("search-line").querySelectorAll("button").forEach((button, i) => button.setAttribute("aria-pressed", String(i + 1 === steps)));
  }
}

// ExactPanel shows what perfect play leads to, if the arena has the table of this board.
export class ExactPanel {
  constructor(replay) {
    this.replay = replay;
    this.absent = false;
    this.shown = true;
    replay.root.addEventListener("ply", () => this.show());
    this.show();
  }

  toggle() {
    this.shown = !this.shown;
    this.show();
  }

  async show() {
    const { replay } = this, panel = replay.part("exact"), text = replay.text();
    if (this.absent || !this.shown) return void (panel.hidden = true);
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      const query = new URLSearchParams({ position: text, rules: replay.record.rules });
      const answer = await fetch(`/api/exact?${query}`).catch(() => null);
      if (text !== replay.text()) return;
      this.absent = answer?.status === 404;
      panel.hidden = !answer?.ok;
      if (answer?.ok) replay.part("exact-text").textContent = this.sentence(await answer.json());
    }, this.asked ? 80 : 0);
    this.asked = true;
  }

  sentence(exact) {
    const moves = (exact.moves ?? []).map((m) => `${m.move} ${m.value}`).join(", ");
    return `With perfect play: ${exact.value}.${moves ? ` By move: ${moves}.` : ""}`;
  }
}

const signs = { fault: "✕", tile: "▲", mistake: "▼" };

// MarksPanel shows the plies worth looking at, on the slider and as a list.
export class MarksPanel {
  constructor(replay) {
    this.replay = replay;
    this.marks = [];
    replay.root.addEventListener("plies", () => { clearTimeout(this.timer); this.timer = setTimeout(() => this.load(), replay.over() ? 0 : 3000); });
    this.load();
  }

  async load() {
    const answer = await fetch(`/api/games/${this.replay.id}/marks`).catch(() => null);
    if (!answer?.ok) return;
    const { marks, judged } = await answer.json(), { replay } = this, last = replay.moves.length;
    this.marks = marks;
    replay.part("marks").hidden = !marks.length;
    replay.part("ticks").replaceChildren(...marks.map((m) => {
      const tick = element("span", signs[m.kind], { class: `mark-${m.kind}` });
      tick.style.left = `calc(8px + (100% - 16px) * ${m.ply / Math.max(1, last)})`; // half a thumb at both ends
      return tick;
    }));
    replay.part("marks-list").replaceChildren(...marks.map((m) => this.item(m)));
    replay.part("marks-note").textContent = replay.over() && judged < last ? `Moves were judged up to ply ${judged}.` : "";
  }

  item(mark) {
    const link = element("a", `${signs[mark.kind]} ply ${mark.ply}: ${mark.why}`, { href: `?ply=${mark.ply}`, class: `mark-${mark.kind}` });
    link.addEventListener("click", (event) => {
      if (event.metaKey || event.ctrlKey) return;
      event.preventDefault();
      this.replay.jump(mark.ply);
    });
    const item = document.createElement("li");
    item.append(link);
    return item;
  }

  // next goes to the next mistake or fault, and from the last one to the first.
  next() {
    const plies = this.marks.filter((m) => m.kind !== "tile").map((m) => m.ply);
    const next = plies.find((ply) => ply > this.replay.ply) ?? plies[0];
    if (next === undefined) this.replay.part("announcer").textContent = "No mistake is marked.";
    else this.replay.jump(next);
  }
}

// SharePanel has what can be copied or downloaded, for the ply that is shown.
export class SharePanel {
  constructor(replay) {
    this.replay = replay;
    replay.root.addEventListener("ply", () => this.show());
    for (const button of replay.root.querySelectorAll("[data-copy]")) {
      button.hidden = false;
      button.addEventListener("click", () => this.copy(button));
    }
    this.show();
  }

  show() {
    const { replay } = this, text = replay.text();
    replay.part("position").textContent = text;
    replay.part("address").textContent = `${location.origin}/games/${replay.id}?ply=${replay.ply}`;
    replay.part("embed").textContent = `<iframe src="${location.origin}/embed/games/${replay.id}" width="360" height="520" title="versus 2048"></iframe>`;
    replay.part("svg").href = `/games/${replay.id}/position.svg?ply=${replay.ply}`;
    replay.part("gif").href = `/games/${replay.id}.gif?to=${replay.ply}`;
    replay.part("analysis").href = `/analysis?position=${encodeURIComponent(text)}`;
  }

  async copy(button) {
    const source = this.replay.part(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = "copied";
    } catch { // no clipboard without TLS: then the visitor copies what is selected
      getSelection().selectAllChildren(source);
      button.textContent = "selected";
    }
    setTimeout(() => { button.textContent = "copy"; }, 2000);
  }
}
