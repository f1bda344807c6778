// The server's parts beside a game's board.

import { fill, piece, swap } from "./page.js";
import { write } from "./rules.js";

// panels shows the search for the ply's move, and the exact values. It returns a function that hides these, or shows
// them again.
export function panels(replay) {
	const { root, id, part, board } = replay;
	let timer;
	const show = async () => {
		const { ply } = replay;
		timer = null;
		const fresh = await piece(`/parts/games/${id}/panels?ply=${ply}`).catch(() => null);
		if (ply !== replay.ply || !fresh) return; // another ply has been chosen
		part("panels").replaceChildren(...fresh.body.children);
		board.point(part("panels").matches(".inexact") ? null : part("best-move")?.textContent);
	};
	const later = () => { timer ??= setTimeout(show, replay.following ? 1000 : 80); }; // a slider or a live game passes many plies
	if (!("known" in root.dataset)) return;
	root.addEventListener("ply", later);
	later();
	return () => {
		part("panels").classList.toggle("inexact");
		show();
	};
}

// marks shows the plies worth looking at. It returns a function that goes to the next mistake.
export function marks(replay) {
	const { root, id } = replay;
	let timer;
	const load = async () => {
		const fresh = await piece(`/parts/games/${id}/marks`).catch(() => null);
		if (fresh) swap(fresh, "[data-ticks]", "[data-marks]");
	};
	root.addEventListener("plies", () => {
		clearTimeout(timer);
		timer = setTimeout(load, replay.over() ? 0 : 3000);
	});
	load();
	return () => {
		const links = [...root.querySelectorAll("[data-marks] a:not(.mark-tile)")];
		const next = links.find((link) => link.dataset.to > replay.ply) ?? links[0];
		if (next) next.click();
		else replay.announce("No mistake is marked.");
	};
}

// share keeps texts and links for copying up to date.
export function share(replay) {
	const { root, part, record: { rules } } = replay, { origin, pathname } = location, first = Number(root.dataset.start.split(" ")[3]);
	const show = () => {
		const { ply } = replay, position = write(replay.at(ply), first + ply), here = `?ply=${ply}`;
		fill(part, { position, address: origin + pathname + here });
		part("svg").search = here;
		part("gif").search = `?to=${ply}`;
		part("analysis").search = new URLSearchParams({ position, rules });
	};
	root.addEventListener("ply", show);
	show();
}
