// The server's parts beside a game's board.

import { barred, fill, number, piece, swap } from "./page.js";
import { write } from "./rules.js";

// panels shows the ply's search and exact values. It returns a function that toggles the values.
export function panels(replay) {
	const { root, id, part, board } = replay;
	let timer;
	const show = async () => {
		const { ply } = replay;
		timer = null;
		const fresh = await piece(`/parts/games/${id}/panels?ply=${ply}`).catch(() => null);
		if (ply !== replay.ply) return; // another ply has been chosen
		part("panels").replaceChildren(...fresh?.body.children ?? []);
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
	const load = () => piece(`/parts/games/${id}/marks`).then((fresh) => swap(fresh, "[data-ticks]", "[data-marks]"), (error) => { if (!barred(error)) later(3000); });
	const later = (wait) => {
		clearTimeout(timer);
		timer = setTimeout(load, wait);
	};
	root.addEventListener("plies", () => later(replay.over() ? 0 : 3000));
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

// curves shows the game's curves. A press jumps to a ply, dragging steps on.
export function curves(replay) {
	const { root, id, part } = replay, box = part("curves");
	let timer, plies, every;
	// mark marks the ply, and one under a pointer, with its values.
	const mark = (over = replay.ply) => {
		const at = Math.min(Math.ceil(over / every) * every, plies), values = box.querySelectorAll("[data-value]");
		const place = (name, ply) => box.style.setProperty(name, `${100 * ply / plies}%`);
		place("--at", replay.ply);
		place("--over", over);
		for (const shown of box.querySelectorAll("[data-at]")) shown.textContent = at;
		box.querySelectorAll("polyline").forEach(({ points }, i) => {
			const { y } = [...points].find(({ x }) => x === at) ?? {};
			values[i].textContent = y === undefined ? "–" : number(+y.toFixed(3));
		});
	};
	const load = async () => {
		timer = null;
		const fresh = await piece(`/parts/games/${id}/curves`).catch((error) => { if (!barred(error)) later(); });
		if (!fresh) return;
		box.replaceChildren(...fresh.body.children);
		({ plies, every } = box.firstChild.dataset);
		box.hidden = plies === "0";
		mark();
	};
	const later = () => { timer ??= setTimeout(load, 2000); };
	const plyAt = ({ clientX }) => {
		const { left, width } = box.querySelector("svg").getBoundingClientRect();
		return Math.round((clientX - left) / width * plies);
	};
	box.onpointerdown = (event) => {
		if (event.button || !event.target.closest("svg")) return;
		box.setPointerCapture(event.pointerId);
		replay.jump(plyAt(event));
	};
	box.onpointermove = (event) => (box.hasPointerCapture(event.pointerId) ? replay.go : mark).call(replay, plyAt(event));
	box.onpointerleave = () => mark();
	root.addEventListener("ply", () => mark());
	root.addEventListener("plies", later);
	load();
}
