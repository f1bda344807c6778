// A match of two games against a bot.

import { number } from "./moment.js";

export class Contest {
	// first is the match's first game, if this is the second one. beat is somebody's score.
	constructor({ first, beat }) { Object.assign(this, { games: first ? [first] : [], beat }); }

	// If the attacker has lost by a fault, no score would be enough for the other one.
	add(role, { score, winner }) { this.games.push({ role, score, worth: winner === "defender" ? Infinity : score }); }

	decided() { return this.games.length > 1; }

	// goal says what is left to win, "" in a first game.
	goal(role, score) {
		const { beat = Infinity, games: [first] } = this, target = first?.worth ?? beat, left = target + 1 - score;
		if (this.decided() || left === Infinity) return "";
		const [needs, has] = role === "defender" ? ["You need", "You have"] : ["The bot needs", "The bot has"];
		if (left <= 0) return `${has} passed ${number(target)} points.`;
		return `${needs} ${number(target + 1)} points to ${first ? "win the match" : "beat the score"}: ${number(left)} more.`;
	}

	// verdict says who has won the match, or what the rematch is about.
	verdict() {
		const { games, beat } = this, [first] = games, yours = games.find((g) => g.role === "defender"), its = games.find((g) => g.role === "attacker");
		if (beat !== undefined) return first.score > beat ? `The score of ${number(beat)} is beaten.` : `The score to beat was ${number(beat)}.`;
		if (!this.decided()) {
			if (first.worth === Infinity) return "";
			return yours ? `In the rematch, hold the bot to fewer than ${number(yours.score)} points to win.` : `In the rematch you need ${number(its.score + 1)} points to win.`;
		}
		const drawn = yours.worth === its.worth, wins = yours.worth > its.worth;
		return `The match: you ${number(yours.score)}, the bot ${number(its.score)}. ${drawn ? "It is drawn." : wins ? "You win the match." : "The bot wins the match."}`;
	}
}
