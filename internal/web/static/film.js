// Scenes of games that play by themselves, at a pace at which people can follow.

import { calm } from "./board.js";
import { play, read } from "./rules.js";

export class Film {
	// The film calls show(position, ply, move, before, scene) for the plies of each scene, an element, from its start on.
	// pace is the time for a ply, rest that after a scene, in ms.
	constructor(scenes, show, { pace = 550, rest = 4500 } = {}) {
		Object.assign(this, { scenes: [...scenes], show, pace, rest });
	}

	load() {
		const [scene] = this.scenes, { start, ply, moves } = scene.dataset;
		Object.assign(this, { position: read(start), ply: Number(ply), moves: moves.split(" ") });
		this.show(this.position, this.ply, "", null, scene);
	}

	// step plays a move, or begins the next scene.
	step() {
		const { position: before, moves, scenes } = this, move = moves.shift();
		if (!move) {
			scenes.push(scenes.shift());
			return this.load();
		}
		this.position = play(before, move);
		this.show(this.position, ++this.ply, move, before, scenes[0]);
	}

	// start begins a scene. It stands still where people want no motion.
	start() {
		this.load();
		if (!calm.matches) this.run();
	}

	run() {
		clearTimeout(this.timer);
		this.timer = setTimeout(() => {
			if (!document.hidden) this.step();
			this.run();
		}, this.moves.length ? this.pace : this.rest);
	}

	stop() { this.timer = clearTimeout(this.timer); }
}

export function steer(button, films) {
	const label = () => { button.ariaLabel = films[0].timer ? "pause" : "play"; };
	button.onclick = () => {
		for (const film of films) film[film.timer ? "stop" : "run"]();
		label();
	};
	label();
}
