// What a bot's search and perfect play say about the moves of a position.

import { number } from "./moment.js";
import { ask, button, cell, make, numberCell } from "./page.js";

// searchRows returns rows of a table: move, value, visits, share of the visits. played is marked; pick
// is called with a move that was pressed.
export function searchRows(moves, { played, pick } = {}) {
	const most = Math.max(1, ...moves.map((m) => m.visits ?? 0));
	return moves.map(({ move, value = 0, visits = 0 }) => {
		const name = cell(pick ? button(move, () => pick(move), { className: "link" }) : move);
		if (move === played) name.append(" ", make("strong", {}, "played"));
		const bar = make("span");
		bar.style.width = `${(100 * visits) / most}%`;
		return make("tr", {}, name, numberCell(value.toFixed(1)), numberCell(visits ? number(visits) : "–"), make("td", { className: "bars" }, bar));
	});
}

// effort says how much was searched.
export const effort = ({ playouts, nodes } = {}) => (playouts ? `${number(playouts)} playouts` : nodes ? `${number(nodes)} nodes` : "");

// exactly returns what a table of the arena has about a position: {worth, moves: [{move, worth, plies,
// best}]}, where worth is the final score. It throws an error of status 404 where none has it.
export async function exactly(text, rules) {
	const score = Number(text.split(" ")[2]);
	const worth = ({ gain }) => (score + gain).toFixed(rules === "solo" ? 2 : 0);
	const { value, moves } = await ask(`/api/exact?${new URLSearchParams({ position: text, rules })}`);
	return { worth: worth(value), moves: moves.map((m) => ({ move: m.move, worth: worth(m.value), plies: m.value.plies, best: m.best })) };
}
