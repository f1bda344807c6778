// The page of the rules: small boards that show them.

import { Board } from "./board.js";
import { Film, steer } from "./film.js";

const films = [...document.querySelectorAll("[data-lesson]")].map((lesson) => {
	const board = new Board(lesson.querySelector("[data-board]"));
	return new Film([lesson], (position, ply, move, before) => board.show(position, move, before), { pace: 1200, rest: 2400 });
});
for (const film of films) film.start();
steer(document.querySelector("[data-film]"), films);
