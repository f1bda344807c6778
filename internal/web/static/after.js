// After a game: its positions, its record, and links to it.

import { write } from "./rules.js";

// text writes a game in the text form of docs/RECORDS.md.
export function text({ line, names, asked: { rules, size } }, { ending }) {
	const [{ position, ply }] = line, half = position.side === "defender" ? 1 : 0;
	const tags = { Attacker: names.attacker, Defender: names.defender, Rules: rules, Size: size, Start: write(position, ply), Ending: ending };
	const moves = [...half ? ["..."] : [], ...line.slice(1).map(({ move }) => move)];
	const turns = moves.map((move, i) => (i % 2 ? `${move}${i % 16 === 15 ? "\n" : " "}` : `${i / 2 + 1}. ${move} `));
	return `${Object.entries(tags).map(([tag, value]) => `[${tag} ${JSON.stringify(value)}]\n`).join("")}\n${turns.join("").trim()}\n`;
}

// After lets a person look at a game that is over.
export class After {
	constructor(match, m) {
		const { table, line, asked, id } = match, { part } = table, slider = part("slider");
		Object.assign(this, { table, line, asked, role: match.role, score: m.score, record: text(match, m), first: line[0].ply });
		part("after").hidden = false;
		slider.max = line.length - 1;
		slider.oninput = () => this.go(slider.valueAsNumber);
		part("page").hidden = !asked.recorded;
		part("page-link").href = `/games/${id}`;
		Object.assign(part("record"), asked.recorded ? { href: `/api/games/${id}/record`, download: "" } :
			{ href: URL.createObjectURL(new Blob([this.record], { type: "text/plain" })), download: "game.txt" });
		this.page = asked.recorded && `${location.origin}/games/${id}`;
		this.mark(line.length - 1);
	}

	// go shows the position after some plies.
	go(to) {
		const { line, table } = this, at = Math.max(0, Math.min(to, line.length - 1)), { position, ply, move } = line[at];
		table.show(position, ply, move, at === this.at + 1 && line[at - 1].position);
		this.mark(at);
	}

	// mark lets the links lead to the shown position.
	mark(at) {
		const { table: { part }, line, asked, role } = this, { position, ply } = line[at], { rules, level, opponent } = asked;
		const shown = write(position, ply), against = level ? { level } : { opponent };
		this.at = part("slider").value = at;
		part("analysis").search = new URLSearchParams({ position: shown, rules });
		part("beat").search = new URLSearchParams({ ...against, role, rules, position: shown, beat: this.score });
		part("address").textContent = this.page || part("beat").href;
	}

	close() {
		this.table.part("after").hidden = true;
		URL.revokeObjectURL(this.table.part("record").href);
	}
}
