// A match of two games against a bot: who leads, what is left to win, who has won.

import { number } from "./moment.js";

export class Contest {
	// first is the first game of the match, if this is the second one. beat is a score that somebody made before.
	constructor({ first, beat }) { Object.assign(this, { games: first ? [first] : [], beat }); }

	// add adds a finished game in which the person played a role.
	add(role, { score, winner }) { this.games.push({ role, score, lost: winner === "defender" }); }

	decided() { return this.games.length > 1; }

	// goal says what is left to win, "" in a first game.
	goal(role, score) {
		const { beat, games: [first] } = this;
		if (this.decided() || !first && beat === undefined || first?.lost) return "";
		const target = first?.score ?? beat, left = target + 1 - score, [needs, has] = role === "defender" ? ["You need", "You have"] : ["The bot needs", "The bot has"];
		if (left <= 0) return `${has} passed ${number(target)} points.`;
		return `${needs} ${number(target + 1)} points to ${first ? "win the match" : "beat the score"}: ${number(left)} more.`;
	}

	// verdict says who has won the match, or what the rematch is about.
	verdict() {
		const { games, beat } = this, [first, second] = games, yours = games.find((g) => g.role === "defender"), its = games.find((g) => g.role === "attacker");
		if (beat !== undefined) return first.score > beat ? `The score of ${number(beat)} is beaten.` : `The score to beat was ${number(beat)}.`;
		if (!second) {
			if (first.lost) return "";
			return yours ? `In the rematch, hold the bot to fewer than ${number(yours.score)} points to win.` : `In the rematch you need ${number(its.score + 1)} points to win.`;
		}
		const ahead = yours.lost - its.lost || (yours.lost ? 0 : yours.score - its.score);
		return `The match: you ${number(yours.score)}, the bot ${number(its.score)}. ${ahead ? `${ahead > 0 ? "You win" : "The bot wins"} the match.` : "It is drawn."}`;
	}
}
