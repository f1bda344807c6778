// What the page of a game shows beside the board: the search behind the ply, exact values, the plies
// worth looking at, and what can be taken away.

import { ours } from "./keys.js";
import { milliseconds } from "./moment.js";
import { ask, button, cell, make, numberCell } from "./page.js";
import { effort, exactly, searchRows } from "./report.js";

const chunk = 64; // reports that one request brings

// SearchPanel shows the search report of the ply.
export class SearchPanel {
	constructor(replay) {
		this.replay = replay;
		this.forget();
		replay.root.addEventListener("ply", () => this.show());
		replay.root.addEventListener("variation", () => this.markLine());
		replay.root.addEventListener("plies", () => this.forget());
		this.show();
	}

	forget() {
		this.chunks = new Map(); // promises of reports, by the first ply
		this.absent = false; // the event records none
	}

	// report returns the report of a ply, or nothing.
	async report(ply) {
		const from = ply - (ply - 1) % chunk;
		if (!this.chunks.has(from)) this.chunks.set(from, ask(`/api/games/${this.replay.id}/searches?from=${from}`));
		const { searches } = await this.chunks.get(from);
		this.absent ||= !searches.length && from === 1;
		return searches[ply - from];
	}

	async show() {
		const { replay } = this, { ply } = replay, panel = replay.part("search");
		const report = replay.searches && ply && !this.absent ? await this.report(ply).catch(() => null) : null;
		if (ply !== replay.ply) return; // another one was asked for meanwhile
		panel.hidden = !report;
		if (report) this.fill(report, ply);
	}

	fill(report, ply) {
		const { replay } = this, { part } = replay;
		const mover = replay.positions[ply - 1].side, played = replay.moves[ply - 1];
		const facts = [`${replay.record[mover]}, the ${mover}, before ${played}`, effort(report), report.time_us && milliseconds(report.time_us)];
		part("search-facts").textContent = facts.filter(Boolean).join(" · ");
		part("search-moves").replaceChildren(...searchRows(report.moves ?? [], { played }));
		const moves = report.pv ?? [];
		part("search-line").hidden = !moves.length;
		part("search-line").replaceChildren("expected line: ", ...moves.map((move, i) => button(move, () => replay.tryOut(ply - 1, moves, i + 1))));
		this.markLine();
	}

	// markLine shows how far the expected line is on the board.
	markLine() {
		const steps = this.replay.variation?.steps;
		this.replay.part("search-line").querySelectorAll("button").forEach((b, i) => { b.ariaPressed = String(i + 1 === steps); });
	}
}

// ExactPanel shows what perfect play leads to, if the arena has the table of this board.
export class ExactPanel {
	constructor(replay) {
		this.replay = replay;
		this.shown = true;
		replay.root.addEventListener("ply", () => this.show());
		this.show();
	}

	toggle() {
		this.shown = !this.shown;
		this.show();
	}

	async show() {
		const { replay } = this, { part } = replay, text = replay.text();
		clearTimeout(this.timer);
		part("exact").hidden ||= !this.shown;
		if (!this.shown || this.absent) return;
		await new Promise((later) => { this.timer = setTimeout(later, 80); }); // the slider passes many plies
		const exact = await exactly(text, replay.record.rules).catch((error) => { this.absent = error.status === 404; });
		if (text !== replay.text() || !this.shown) return;
		part("exact").hidden = !exact;
		if (exact) this.fill(exact, replay.moves[replay.ply]);
	}

	fill({ worth, moves }, played) {
		const { part } = this.replay;
		part("exact-worth").textContent = worth;
		part("exact-moves").replaceChildren(...moves.map((m) => {
			const name = cell(m.move, m.best ? " ★" : "");
			if (m.move === played) name.append(" ", make("strong", {}, "played"));
			return make("tr", {}, name, numberCell(m.worth), numberCell(m.plies ? String(m.plies) : ""));
		}));
	}
}

const signs = { fault: "✕", tile: "▲", mistake: "▼" };

// MarksPanel shows the plies worth looking at, on the slider and as a list.
export class MarksPanel {
	constructor(replay) {
		this.replay = replay;
		this.marks = [];
		replay.root.addEventListener("plies", () => {
			clearTimeout(this.timer);
			this.timer = setTimeout(() => this.load(), replay.over() ? 0 : 3000);
		});
		this.load();
	}

	async load() {
		const { replay } = this, { part } = replay, last = replay.moves.length;
		const { marks, judged } = await ask(`/api/games/${replay.id}/marks`).catch(() => this);
		this.marks = marks;
		part("marks").hidden = !marks.length;
		part("ticks").replaceChildren(...marks.map((m) => {
			const tick = make("span", { className: `mark-${m.kind}` }, signs[m.kind]);
			tick.style.left = `calc(8px + (100% - 16px) * ${m.ply / Math.max(1, last)})`; // half a thumb at both ends
			return tick;
		}));
		part("marks-list").replaceChildren(...marks.map((m) => make("li", {}, this.link(m))));
		part("marks-note").textContent = replay.over() && judged < last ? `Moves were judged up to ply ${judged}.` : "";
	}

	link({ kind, ply, why }) {
		return make("a", {
			href: `?ply=${ply}`, className: `mark-${kind}`,
			onclick: (event) => {
				if (!ours(event)) return;
				event.preventDefault();
				this.replay.jump(ply);
			},
		}, `${signs[kind]} ply ${ply}: ${why}`);
	}

	// next goes to the next mistake or fault, and from the last one to the first.
	next() {
		const plies = this.marks.filter((m) => m.kind !== "tile").map((m) => m.ply);
		const next = plies.find((ply) => ply > this.replay.ply) ?? plies[0];
		if (next === undefined) this.replay.announce("No mistake is marked.");
		else this.replay.jump(next);
	}
}

// share keeps what can be copied or downloaded at the ply that is shown.
export function share(replay) {
	const { part, id, root } = replay, { origin } = location;
	const show = () => {
		const text = replay.text();
		part("position").textContent = text;
		part("address").textContent = `${origin}/games/${id}?ply=${replay.ply}`;
		part("embed").textContent = `<iframe src="${origin}/embed/games/${id}" width="360" height="520" title="versus 2048"></iframe>`;
		part("svg").href = `/games/${id}/position.svg?ply=${replay.ply}`;
		part("gif").href = `/games/${id}.gif?to=${replay.ply}`;
		part("analysis").href = `/analysis?position=${encodeURIComponent(text)}&rules=${replay.record.rules}`;
	};
	root.addEventListener("ply", show);
	show();
}
