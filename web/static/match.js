// A person's game against a bot, and those that follow it. The page is an ordinary client.

import { Client } from "./client.js";
import { say as notice } from "./live.js";
import { number } from "./moment.js";
import { ask } from "./page.js";
import { legal, play, write } from "./rules.js";

const directions = { N: "up", S: "down", W: "left", E: "right" };
const other = { attacker: "defender", defender: "attacker" };
const endings = {
	mate: "No slide is left", "illegal-move": "An illegal move", time: "Out of time", disconnect: "The connection was lost", resigned: "Resigned",
	"max-turns": "The limit of turns is reached", "max-tile": "The limit of tiles is reached", decided: "The match is decided", unfinished: "Interrupted",
};

export class Match {
	constructor(table, asked) {
		Object.assign(this, { table, asked, mine: [] }); // mine: the positions in which the person was to move
	}

	// begin asks for the game, from a position if given, and connects.
	async begin(start = "") {
		this.over = false;
		this.table.offer();
		this.table.say("The bot takes its seat …");
		const { name, opponent, role, rules, size, move_ms, recorded } = this.asked;
		const invitation = await ask("/api/play", { name, opponent, role, rules, size, move_ms, recorded, start });
		this.name = invitation.name;
		this.client = new Client(invitation.name, invitation.token, {
			start: (m) => this.start(m), request: (m) => this.request(m), over: (m) => this.end(m),
			refusal: (m) => this.fail(m.message), goodbye: (m) => { if (!this.over) this.fail(m.reason); },
			error: (m) => this.table.say(m.message),
			lost: () => notice("The connection is lost. This page tries to come back."), back: () => notice(""),
			closed: (why) => { if (why) this.fail(why); },
		});
	}

	fail(why) {
		notice("");
		this.over = true;
		this.turn = false;
		this.table.sides.show(null);
		this.table.say(why);
		this.table.offer("again");
	}

	start(m) {
		const { table } = this, second = this.leg === 1 && m.leg === 2;
		const side = m.ply % 2 ? "defender" : "attacker"; // plies count from the attacker's
		Object.assign(this, { id: m.game, role: m.role, clock: m.clock.move_ms, fours: m.rules === "gpcc2016", leg: m.leg, over: false });
		if (second) this.mine = [];
		table.begin({ [m.role]: this.name, [other[m.role]]: m.rules === "solo" ? "chance" : m.opponent });
		table.show({ tiles: m.board, score: m.score, side }, m.ply);
		table.part("tile").hidden = !this.fours || m.role === "defender";
		table.say(`${second ? "Second game. " : ""}You ${m.role === "attacker" ? "attack" : "defend"}. ${m.role === side ? "It is your move." : "The bot begins."}`);
		table.part("area").focus({ preventScroll: true });
		this.wait();
	}

	wait() {
		this.turn = false;
		this.table.sides.show(other[this.role], { turn_ms: this.clock, spent_ms: 0 });
		this.table.offer();
	}

	// request shows the other side's answer and waits for the person.
	request(m) {
		const { table, role } = this, before = table.position, move = m.moves.at(-1);
		const position = { tiles: m.board, score: m.score, side: role };
		table.show(position, m.ply, move, before.side !== role && before);
		table.sides.show(role, { turn_ms: m.left_ms ?? undefined, spent_ms: 0 });
		if (this.mine.at(-1)?.ply !== m.ply) this.mine.push({ position, ply: m.ply });
		this.turn = true;
		table.say(`${move ? `The bot plays ${move}. ` : ""}Your move: ${role === "defender" ? "slide" : "place a tile"}.`);
		table.offer("resign", ...(this.asked.recorded ? [] : ["hint", this.mine.length > 1 ? "undo" : ""]));
	}

	// move plays a person's move, or says why it cannot be played.
	move(move) {
		const { table, turn } = this, { position, ply } = table;
		if (!turn) return table.say(this.over ? "The game is over." : "It is the bot's move.");
		if (!legal(position, this.fours).includes(move)) {
			return table.say(this.role === "attacker" ? "You cannot place a tile there: the cell is taken." :
				`You cannot slide ${directions[move]}: every tile is against the edge or a different tile, so nothing would move.`);
		}
		if (!this.client.answer("move", { move })) return;
		this.played = move;
		table.part("hint").hidden = true;
		table.show(play(position, move), ply + 1, move, position);
		table.say("The bot thinks …");
		this.wait();
	}

	resign() { this.client.answer("resign"); }

	// end says how a game ended. The second game of a match may begin before that is known of the first.
	end(m) {
		const { table, asked } = this, { your_score: yours, opponent_score: its } = m.match;
		document.dispatchEvent(new CustomEvent("over", { detail: m }));
		if (m.game !== this.id) return table.say(`The first game ended with ${number(m.score)} points (${m.ending}). ${table.part("say").textContent}`);
		this.over = true;
		this.turn = false;
		table.sides.show(null);
		table.part("score").textContent = number(m.score);
		const parts = [`${endings[m.ending] ?? m.ending}: ${number(m.score)} points for ${this.role === "defender" ? "you" : "the bot"}.`];
		if (m.winner) parts.push(`${m.winner === this.role ? "You win" : "The bot wins"} by it.`);
		if (yours !== null && its !== null) parts.push(`The match: you ${number(yours)}, the bot ${number(its)}.`);
		if (m.detail) parts.push(`(${m.detail})`);
		table.say(parts.join(" "));
		if (asked.recorded && this.leg === 1 && its === null) return table.offer();
		table.offer("again", asked.rules === "solo" ? "" : "swap", !asked.recorded && this.mine.length ? "undo" : "");
	}

	// undo goes back to the person's move before: a new game from that position.
	async undo() {
		if (!this.over) this.mine.pop();
		const { position, ply } = this.mine.pop();
		await this.leave();
		await this.begin(write(position, ply));
	}

	async hint() {
		const bot = this.asked.connected ? "evminimax" : this.asked.opponent;
		this.table.say("The bot thinks about your move …");
		this.table.say(`A hint: ${bot} would play ${await this.table.hint(bot, this.asked.rules)}.${this.asked.connected ? " Your opponent gives no hints while it plays." : ""}`);
	}

	// swapped returns the same game in the other role.
	swapped() { return { ...this.asked, role: other[this.asked.role] }; }

	async leave() {
		this.over = true;
		await this.client?.leave();
		notice("");
	}
}
