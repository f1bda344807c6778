// A person's games against a bot. To the arena the page is an ordinary bot.

import { Client } from "./client.js";
import { say as notice } from "./live.js";
import { number } from "./moment.js";
import { ask } from "./page.js";
import { play, write } from "./rules.js";

const directions = { N: "up", S: "down", W: "left", E: "right" };
const other = { attacker: "defender", defender: "attacker" };

export class Match {
	constructor(table, asked) {
		Object.assign(this, { table, asked, mine: [] }); // mine: the positions with the person to move
	}

	async begin(start = "") {
		this.over = this.leaving = false;
		this.table.offer();
		this.table.say("The bot takes its seat …");
		const { connected, ...asked } = this.asked;
		const { name, token } = await ask("/api/play", { ...asked, start });
		this.name = name;
		this.client = new Client(name, token, this);
	}

	onlost() { notice("The connection is lost. This page tries to come back."); }
	onback() { notice(); }
	onclosed() { this.fail("The arena cannot be reached, and the game is lost."); }
	onerror({ message }) { this.table.say(message); }
	onrefusal({ message }) { this.fail(message); }
	ongoodbye({ reason }) { if (!this.over) this.fail(reason); }

	fail(why) {
		notice();
		this.stop();
		this.table.say(why);
		this.table.offer("again");
	}

	stop() {
		this.over = true;
		this.turn = false;
		this.table.sides.show(null);
	}

	onstart({ game, role, rules, leg, ply, board, score, opponent, clock }) {
		const { table } = this, second = this.leg === 1 && leg === 2;
		const side = ply % 2 ? "defender" : "attacker";
		Object.assign(this, { id: game, role, clock: clock.move_ms, leg, over: false });
		if (second) this.mine = [];
		table.begin({ [role]: this.name, [other[role]]: rules === "solo" ? "chance" : opponent });
		this.known = { position: { tiles: board, score, side }, ply };
		table.show(this.known.position, ply);
		table.part("tile").hidden = rules !== "gpcc2016" || role === "defender";
		table.say(`${second ? "Second game. " : ""}You ${role.slice(0, -2)}. ${role === side ? "It is your move." : "The bot begins."}`);
		table.part("area").focus({ preventScroll: true });
		table.reveal();
		this.wait();
	}

	wait() {
		this.turn = false;
		this.table.sides.show(other[this.role], { turn_ms: this.clock, spent_ms: 0 });
		this.table.offer();
	}

	onrequest({ ply, board, score, moves, left_ms }) {
		const { table, role } = this, before = table.position, move = moves.at(-1);
		const position = { tiles: board, score, side: role };
		this.known = { position, ply };
		table.show(position, ply, move, before.side !== role && before);
		table.sides.show(role, { turn_ms: left_ms ?? undefined, base_ms: this.clock, spent_ms: 0 });
		if (this.mine.at(-1)?.ply !== ply) this.mine.push({ position, ply });
		this.turn = true;
		table.say(`${move ? `The bot plays ${move}. ` : ""}Your move: ${role === "defender" ? "slide" : "place a tile"}.`);
		table.offer("resign", ...(this.asked.recorded ? [] : ["hint", this.mine.length > 1 ? "undo" : ""]));
	}

	move(move) {
		const { table, turn } = this, { position, ply } = table;
		if (!turn) return table.say(this.over ? "The game is over." : "It is the bot's move.");
		const next = play(position, move);
		if (!next) {
			return table.say(this.role === "attacker" ? "You cannot place a tile there: the cell is taken." :
				`You cannot slide ${directions[move]}: every tile is against the edge or a different tile, so nothing would move.`);
		}
		if (!this.client.answer("move", { move })) return;
		this.played = move;
		table.part("hint").hidden = true;
		table.show(next, ply + 1, move, position);
		table.say("The bot thinks …");
		this.wait();
	}

	resign() { this.client.answer("resign"); }

	// onover shows the end of a game. The second game of a match may begin before it.
	onover(m) {
		const { table, asked } = this, { your_score: yours, opponent_score: its } = m.match;
		document.dispatchEvent(new CustomEvent("over", { detail: m }));
		if (m.game !== this.id) return table.say(`The first game ended with ${number(m.score)} points (${m.ending}). ${table.part("say").textContent}`);
		this.stop();
		this.finish(m.moves ?? []);
		table.say([
			`${table.part(`ending=${m.ending}`)?.textContent ?? m.ending}: ${number(m.score)} points for ${this.role === "defender" ? "you" : "the bot"}.`,
			m.winner && `${m.winner === this.role ? "You win" : "The bot wins"} by it.`,
			yours !== null && its !== null && `The match: you ${number(yours)}, the bot ${number(its)}.`,
			m.detail && `(${m.detail})`,
		].filter(Boolean).join(" "));
		if (asked.recorded && this.leg === 1 && its === null) return table.offer();
		table.offer("again", asked.rules === "solo" ? "" : "swap", !asked.recorded && this.mine.length ? "undo" : "");
	}

	// finish shows the last position. The moves lead to it from the last position that the arena has sent.
	finish(moves) {
		let before, { position, ply } = this.known;
		for (const move of moves) [before, position] = [position, play(position, move)];
		ply += moves.length;
		if (ply !== this.table.ply) this.table.show(position, ply, moves.at(-1), before);
	}

	// undo begins a new game from the position before the person's last move.
	async undo() {
		if (this.leaving) return; // pressed twice
		if (!this.over) this.mine.pop();
		const { position, ply } = this.mine.pop();
		await this.leave();
		await this.begin(write(position, ply));
	}

	// hint shows the move of a bot, unless the page has another position or game by then.
	async hint() {
		const { table, asked: { connected, opponent, rules } } = this, { position } = table, bot = connected ? "champion" : opponent;
		const late = () => !this.turn || table.position !== position;
		table.say("The bot thinks about your move …");
		const move = await table.hint(bot, rules).catch((error) => { if (!late()) throw error; });
		if (!late()) table.say(`A hint: ${bot} would play ${move}.${connected ? " Your opponent gives no hints while it plays." : ""}`);
	}

	swapped() { return { ...this.asked, role: other[this.asked.role] }; }

	async leave() {
		this.leaving = true;
		this.stop();
		await this.client?.leave();
		notice();
	}
}
