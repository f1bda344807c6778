// The page of a puzzle: one try, then the values of all moves.

import { Board } from "./board.js";
import { onKeys, onLinks, onSlides } from "./keys.js";
import { parts } from "./page.js";
import { play, read } from "./rules.js";

const root = document.querySelector("[data-puzzle]"), part = parts(root);
const { puzzle, day } = root.dataset; // day: of the daily puzzle, by its number
const position = read(root.dataset.position);
const record = { answered: [], solved: 0, row: 0, days: 0, day: 0, ...stored(() => JSON.parse(localStorage.puzzles)) };

// stored reads or writes the record on this device, if the browser lets it.
function stored(access) {
	try {
		return access();
	} catch {
		return null;
	}
}

// count adds an answer to the record. Only the first try of a puzzle counts, and of a day.
function count(right) {
	if (!record.answered.includes(puzzle)) {
		record.answered.push(puzzle);
		record.solved += Number(right);
		record.row = right ? record.row + 1 : 0;
	}
	if (day && record.day < day) {
		const goesOn = record.day === day - 1 ? record.days : 0;
		Object.assign(record, { day: Number(day), days: right ? goesOn + 1 : 0 });
	}
	stored(() => { localStorage.puzzles = JSON.stringify(record); });
}

function showRecord() {
	const { answered, solved, row } = record, days = record.day >= Math.floor(Date.now() / 864e5) - 1 ? record.days : 0;
	const streak = days ? ` Daily puzzles in a row: ${days}.` : "";
	part("record").textContent = answered.length ? `Solved: ${solved} of ${answered.length}. Right in a row: ${row}.${streak}` : "";
}

// answer returns false for an illegal move.
function answer(move) {
	const chosen = part(`answer="${move}"`), best = root.querySelector(".answers .best"), right = chosen === best, verdict = part("verdict");
	if (!chosen || verdict.textContent) return false; // one try
	count(right);
	chosen.ariaCurrent = "true";
	verdict.classList.add(right ? "right" : "wrong");
	verdict.textContent = `${right ? "" : `Wrong: ${chosen.textContent} `}Right: ${best.textContent}`;
	for (const link of root.querySelectorAll("[data-play]")) delete link.dataset.play; // they lead to the analysis now
	new Board(part("board")).show(play(position, move), move, position);
	part("solution").open = true;
	verdict.scrollIntoView({ block: "nearest" });
	showRecord();
}

onLinks(root, "[data-play]", (link) => answer(link.dataset.play));
onSlides(part("board"), answer);
onKeys({ n: () => part("another").requestSubmit() });
showRecord();
root.ready = true;
