// After a game: its positions, its record, and links to it.

import { ask as champion } from "./champion.js";
import { ask, make } from "./page.js";
import { mated, write } from "./rules.js";

// text writes a game in the text form of docs/RECORDS.md.
export function text({ line, names, role, asked: { rules, size } }, { ending, seed = 0 }) {
	const [{ position, ply }] = line;
	const moves = line.map(({ move = "..." }) => move).slice(Number(position.side === "attacker")), tags = {
		Attacker: names.attacker, Defender: names.defender, Rules: rules, Size: size, Start: write(position, ply), Ending: ending,
		[role === "defender" ? "AttackerSeed" : "DefenderSeed"]: `${seed}`,
	};
	const turns = moves.map((move, i) => (i % 2 ? `${move}\n` : `${i / 2 + 1}. ${move} `)).join("").trim();
	return `${Object.entries(tags).map(([tag, value]) => `[${tag} ${JSON.stringify(value)}]\n`).join("")}\n${turns}\n`;
}

export class After {
	constructor(match, m) {
		const { table, line, asked, asked: { recorded }, id, role } = match, { part } = table, slider = part("slider"), record = text(match, m);
		Object.assign(this, { table, line, asked, role, score: m.score, record });
		part("after").hidden = false;
		slider.max = line.length - 1;
		slider.oninput = () => this.go(slider.valueAsNumber);
		part("page").hidden = !recorded;
		part("page-link").href = `/games/${id}`;
		this.page = recorded && part("page-link").href;
		Object.assign(part("record"), recorded ? { href: `/api/games/${id}/record`, download: "" } :
			{ href: `data:text/plain,${encodeURIComponent(record)}`, download: "game.txt" });
		this.mark(line.length - 1);
		this.judge();
	}

	// judge lists the costliest moves, by the arena or else by this browser.
	async judge() {
		const { table: { part }, line, record } = this;
		const moves = await ask("/api/mistakes", { record }).catch(() => this.closed || champion({ record })).catch(() => {});
		if (this.closed || !moves) return;
		part("costliest").replaceChildren(...moves.map(({ ply, why }) => make("li", {},
			make("button", { type: "button", className: "link", onclick: () => this.go(ply) }, `Ply ${line[ply].ply}: ${why}`))));
		part("decided").hidden = !moves.length;
	}

	go(to) {
		const { line, table } = this, at = Math.max(0, Math.min(to, line.length - 1)), { position, ply, move } = line[at];
		table.show(position, ply, move, at === this.at + 1 && line[at - 1].position);
		this.mark(at);
	}

	mark(at) {
		const { table: { part }, line, asked, role } = this, { position, ply } = line[at], { rules, level, opponent } = asked;
		const shown = write(position, ply), against = level ? { level } : { opponent }, from = mated(position) ? line[0] : line[at];
		this.at = part("slider").value = at;
		part("analysis").search = new URLSearchParams({ position: shown, rules });
		part("beat").search = new URLSearchParams({ ...against, role, rules, position: write(from.position, from.ply), ...(this.score || role === "defender") && { beat: this.score } });
		part("address").textContent = this.page || part("beat").href;
	}

	close() {
		this.closed = true;
		this.table.part("after").hidden = this.table.part("decided").hidden = true;
	}
}
