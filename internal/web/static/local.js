// A game in this browser, without an arena: the champion's program plays.

import { ask } from "./champion.js";
import { empty, mated, other, play, read, write } from "./rules.js";

export class Local {
	// start is a position, "" for the empty board.
	constructor(game, { name, role, rules, size, level, opponent, move_ms }, start) {
		const text = start || write(empty(size), 0), position = read(text), ply = Number(text.split(" ")[3]);
		const bot = rules === "solo" ? "chance" : opponent.replace(`${level}=`, ""), [seed] = crypto.getRandomValues(new Uint32Array(1));
		Object.assign(this, { game, name: `guest ${name}`.trim(), role, rules, position, ply, bot, seed, opponent: level ?? bot, limit: move_ms || 6e5, moves: [] });
	}

	// The champion takes as long as in the arena.
	choose(ms = 100) {
		const { bot, seed, rules, position, ply } = this;
		return ask({ bot, seed, rules, position: write(position, ply), ms });
	}

	tell(type, more) {
		const { game, seed, ply, position: { tiles: board, score } } = this;
		game[`on${type}`]({ game: seed, seed, ply, board, score, ...more });
	}

	connect() {
		const { role, rules, opponent, limit } = this;
		this.tell("start", { role, rules, leg: 1, opponent, clock: { move_ms: limit } });
		this.next();
	}

	async next() {
		await null; // as messages come, after the present event
		const { position, ply, role, limit, game } = this;
		if (mated(position)) return this.end("mate");
		if (position.side === role) {
			this.clock = setTimeout(() => this.lose("time"), limit);
			return this.tell("request", { moves: this.moves.splice(0), left_ms: limit });
		}
		const { move, advantage } = await this.choose().catch((error) => this.done || game.onrefusal(error)) ?? {};
		if (!move || this.done) return;
		game.table.scores[ply] = advantage;
		this.play(move);
	}

	play(move) {
		this.position = play(this.position, move);
		this.ply++;
		this.moves.push(move);
		this.next();
	}

	answer(type, { move } = {}) {
		if (!this.clock) return false;
		this.clock = clearTimeout(this.clock);
		if (move) this.play(move);
		else this.lose("resigned");
		return true;
	}

	lose(ending) { this.end(ending, other[this.role]); }

	end(ending, winner = null) {
		this.leave();
		this.tell("over", { ending, winner, moves: this.moves, match: {} });
	}

	leave() {
		this.done = true;
		this.clock = clearTimeout(this.clock);
	}
}
