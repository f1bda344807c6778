// The page of a puzzle: one try, then the values of all moves. The visitor's record stays on this device.

import { Board } from "./board.js";
import { arrows, onKeys, onLinks, onStrokes, slideKeys } from "./keys.js";
import { parts } from "./page.js";
import { play, read } from "./rules.js";

const root = document.querySelector("[data-puzzle]"), part = parts(root);
const { puzzle, day } = root.dataset; // day: of the daily puzzle, by its number
const today = Math.floor(Date.now() / 864e5);
const position = read(root.dataset.position);
const record = { answered: [], solved: 0, row: 0, days: 0, day: 0, ...kept() };
let tried = false;

// kept returns the record on this device, if the browser has one and shows it.
function kept() {
	try {
		return JSON.parse(localStorage.getItem("puzzles"));
	} catch {
		return null;
	}
}

function keep() {
	try {
		localStorage.setItem("puzzles", JSON.stringify(record));
	} catch {
		// A browser without storage: the record ends with the page.
	}
}

// count adds an answer to the record. Only the first try of a puzzle counts, and of a day.
function count(right) {
	if (!record.answered.includes(puzzle)) {
		record.answered.push(puzzle);
		record.solved += right ? 1 : 0;
		record.row = right ? record.row + 1 : 0;
	}
	if (day && record.day < day) {
		const goesOn = record.day === day - 1 ? record.days : 0;
		Object.assign(record, { day: Number(day), days: right ? goesOn + 1 : 0 });
	}
	keep();
}

function showRecord() {
	const { answered, solved, row } = record, days = record.day >= today - 1 ? record.days : 0;
	const streak = days ? ` Daily puzzles in a row: ${days}.` : "";
	part("record").textContent = answered.length ? `Solved: ${solved} of ${answered.length}. Right in a row: ${row}.${streak}` : "";
}

// answer takes the visitor's move, and shows whether it is right. It returns false for an illegal move.
function answer(move) {
	const chosen = root.querySelector(`[data-answer="${move}"]`), best = root.querySelector("[data-answer].best");
	if (!chosen || tried) return false;
	tried = true;
	const right = chosen === best, verdict = part("verdict");
	count(right);
	chosen.ariaCurrent = "true";
	verdict.classList.add(right ? "right" : "wrong");
	verdict.textContent = right ? `Right: ${chosen.textContent}` : `Wrong: ${chosen.textContent} Right: ${best.textContent}`;
	for (const link of root.querySelectorAll("[data-play]")) delete link.dataset.play; // they lead to the analysis now
	new Board(part("board")).show(play(position, move), move, position);
	part("solution").open = true;
	verdict.scrollIntoView({ block: "nearest" });
	showRecord();
}

onLinks(root, "[data-play]", (link) => answer(link.dataset.play));
onStrokes(part("board"), answer);
for (const [key, move] of Object.entries({ ...slideKeys, ...arrows })) onKeys({ [key]: () => answer(move) });
onKeys({ n: () => part("another").requestSubmit() });
showRecord();
root.ready = true;
