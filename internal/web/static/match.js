// A person's games against a bot, in the arena or in this browser.

import { Client } from "./client.js";
import { After } from "./after.js";
import { directions } from "./board.js";
import { Local } from "./local.js";
import { ask, number, say as notice, tell } from "./page.js";
import { other, play, write } from "./rules.js";

const theirs = "It is the bot's move.";
const patience = 2500; // milliseconds, then the arena plays
const points = (n) => `${number(n)} point${n === 1 ? "" : "s"}`;

export class Contest {
	// first is the first game, in the second. A defender passes beat, an attacker stays below it.
	constructor({ first, beat, rules }) { Object.assign(this, { games: first ? [first] : [], beat, rules }); }

	// No score beats an attacker's fault.
	add(role, { score, winner }) { this.games.push({ role, score, worth: winner === "defender" ? Infinity : score }); }

	decided() { return this.games.length > 1; }

	// goal names the missing points, "" in a first game.
	goal(role, score) {
		const { beat = Infinity, games: [first] } = this, target = first?.worth ?? beat, left = target + 1 - score, you = role === "defender";
		if (this.decided() || left === Infinity) return "";
		if (!first && !you) return `Hold the bot below ${points(beat)}.`;
		if (left <= 0) return `${you ? "You have" : "The bot has"} passed ${points(target)}.`;
		return `${you ? "You need" : "The bot needs"} ${points(target + 1)} to ${first ? "win the match" : "beat the score"}: ${number(left)} more.`;
	}

	verdict() {
		const { games, beat, rules } = this, [first] = games, { role, worth } = first, [yours, its] = ["defender", "attacker"].map((role) => games.find((g) => g.role === role));
		if (beat !== undefined) {
			if (role === "attacker") return `You ${worth < beat ? "held" : "were to hold"} the bot below ${points(beat)}.`;
			return worth > beat ? `The score of ${number(beat)} is beaten.` : `The score to beat was ${number(beat)}.`;
		}
		if (!this.decided()) {
			if (worth === Infinity || rules === "solo" || yours?.score === 0) return "";
			return `In the rematch${yours ? `, hold the bot to fewer than ${points(yours.score)}` : ` you need ${points(its.score + 1)}`} to win.`;
		}
		const end = yours.worth === its.worth ? "It is drawn" : `${yours.worth > its.worth ? "You win" : "The bot wins"} the match`;
		return `The match: you ${number(yours.score)}, the bot ${number(its.score)}. ${end}.`;
	}
}

export class Match {
	constructor(table, asked) {
		// mine: positions with the person to move; line: all, with the moves to them
		Object.assign(this, { table, asked, mine: [], line: [] });
	}

	async begin(start = this.asked.start ?? "") {
		this.over = this.leaving = false;
		this.contest = new Contest(this.asked);
		this.table.offer();
		this.table.say("The bot takes its seat …");
		const client = await this.find(start);
		if (!this.leaving) (this.client = client).connect();
	}

	// find prefers a client in this browser, if it can play soon.
	async find(start) {
		const { level, connected, beat, first, ...game } = this.asked; // game: what the arena asks for
		const alone = "site" in document.documentElement.dataset; // without an arena
		if (alone || level && !game.recorded) {
			const local = new Local(this, this.asked, start), late = new Promise((give) => { if (!alone) setTimeout(give, patience); });
			if (await Promise.race([local.choose(1), late]).catch((error) => { if (alone) throw error; })) return local;
		}
		return new Client(await ask("/api/play", { ...game, start }), this);
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
		delete this.table.root.dataset.playing;
	}

	onstart({ game, role, rules, leg, ply, board, score, opponent, clock }) {
		const { table, asked } = this, second = this.leg === 1 && leg === 2;
		const side = ply % 2 ? "defender" : "attacker", position = { tiles: board, score, side };
		if (this.id !== game || this.line.at(-1).ply !== ply) this.line = [{ position, ply }]; // unless only the connection was lost
		Object.assign(this, { id: game, role, clock: clock.move_ms, leg, over: false });
		if (second) this.mine = [];
		this.names = { [role]: this.client.name, [other[role]]: rules === "solo" ? "chance" : opponent };
		table.begin(this.names);
		table.root.dataset.playing = "";
		table.show(position, ply);
		this.tellGoal();
		table.part("tile").hidden = rules !== "gpcc2016" || role === "defender";
		table.say(`${second || asked.first ? "Second game. " : ""}You ${role.slice(0, -2)}. ${role === side ? "It is your move." : "The bot begins."}`);
		table.part("area").focus({ preventScroll: true });
		table.reveal();
		this.wait();
	}

	wait() {
		this.turn = false;
		this.table.sides.show(other[this.role], { turn_ms: this.clock });
	}

	extend(moves) {
		let { position, ply } = this.line.at(-1);
		for (const move of moves) {
			position = play(position, move);
			this.line.push({ position, ply: ++ply, move });
		}
	}

	tellGoal() { tell(this.table.part("goal"), this.contest.goal(this.role, this.table.position.score)); }

	onrequest({ ply, board, score, moves, left_ms }) {
		const { table, role } = this, before = table.position, move = moves.at(-1);
		const position = { tiles: board, score, side: role };
		this.extend(moves);
		table.show(position, ply, move, before.side !== role && before);
		this.tellGoal();
		table.sides.show(role, { turn_ms: left_ms ?? undefined, base_ms: this.clock });
		if (this.mine.at(-1)?.ply !== ply) this.mine.push({ position, ply });
		this.turn = true;
		table.say(`${move ? `The bot plays ${move}. ` : ""}Your move: ${role === "defender" ? "slide" : "place a tile"}.`);
		table.offer("resign", ...(this.asked.recorded ? [] : ["hint", this.mine.length > 1 ? "undo" : ""]));
	}

	move(move) {
		const { table, turn } = this, { position, ply } = table;
		if (!turn) return table.say(theirs);
		const next = play(position, move);
		if (!next) {
			return table.say(this.role === "attacker" ? "You cannot place a tile there: the cell is taken." :
				`You cannot slide ${directions[move]}: nothing would move.`);
		}
		if (!this.client.answer("move", { move })) return;
		this.played = move;
		table.part("hint").hidden = true;
		table.show(next, ply + 1, move, position);
		this.tellGoal();
		table.say("The bot thinks …");
		this.wait();
	}

	resign() { if (!this.client.answer("resign")) this.table.say(theirs); }

	// The second game of a match may begin before the first one's onover.
	onover(m) {
		const { table, asked, contest } = this, current = m.game === this.id;
		document.dispatchEvent(new CustomEvent("over", { detail: m }));
		contest.add(current ? this.role : other[this.role], m);
		if (!current) {
			this.tellGoal();
			return table.say(`The first game ended with ${points(m.score)} (${m.ending}). ${table.part("say").textContent}`);
		}
		this.stop();
		this.extend(m.moves ?? []);
		const { position, ply, move } = this.line.at(-1);
		if (ply !== table.ply) table.show(position, ply, move, this.line.at(-2)?.position);
		tell(table.part("goal"));
		table.say([
			`${table.part(`ending=${m.ending}`)?.textContent ?? m.ending}: ${points(m.score)} for ${this.role === "defender" ? "you" : "the bot"}.`,
			m.winner && `${m.winner === this.role ? "You win" : "The bot wins"} by it.`,
			contest.verdict(),
			m.detail && `(${m.detail})`,
		].filter(Boolean).join(" "));
		if (asked.recorded && this.leg === 1 && m.match.opponent_score === null) return table.offer();
		const alone = asked.rules === "solo" || "beat" in asked;
		table.part("do=swap").textContent = contest.decided() ? "New match" : `Rematch: you ${other[this.role].slice(0, -2)}`;
		table.offer("again", alone ? "" : "swap", !asked.recorded && this.mine.length ? "undo" : "");
		this.after = new After(this, m);
	}

	// undo goes back before the person's last move.
	async undo() {
		if (this.leaving) return; // pressed twice
		if (this.turn) this.mine.pop();
		if (!this.mine.length) return;
		const { position, ply } = this.mine.pop();
		await this.leave();
		await this.begin(write(position, ply));
	}

	// hint shows a bot's move, unless the position is another one by then.
	async hint() {
		const { table, asked: { connected, level, opponent, rules } } = this, { position } = table;
		const bot = connected || level ? "champion" : opponent;
		if (!this.turn) return table.say(theirs);
		const late = () => !this.turn || table.position !== position;
		table.say("The bot thinks about your move …");
		const move = await table.hint(bot, rules).catch((error) => { if (!late()) throw error; });
		if (!late()) table.say(`A hint: ${bot} would play ${move}.${connected ? " Your opponent gives no hints while it plays." : ""}`);
	}

	// swapped is the next game, with the roles changed.
	swapped() {
		const { asked, contest } = this, first = asked.recorded || contest.decided() ? null : contest.games[0];
		return { ...asked, role: other[asked.role], first };
	}

	async leave() {
		this.leaving = true;
		this.after = this.after?.close();
		this.stop();
		await this.client?.leave();
		notice();
	}
}
