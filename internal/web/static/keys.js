// Keys, and the start of every page.

import { enliven } from "./page.js";

export const slideKeys = { w: "N", a: "W", s: "S", d: "E", k: "N", h: "W", j: "S", l: "E" };
export const arrows = { ArrowUp: "N", ArrowLeft: "W", ArrowDown: "S", ArrowRight: "E" };

// typing reports whether a key is for a field, a dialog or the browser.
const typing = (event) => event.ctrlKey || event.metaKey || event.altKey ||
	event.target.matches?.("input:not([type=range], [type=checkbox], [name=tile]), select, textarea") || document.querySelector("dialog[open]");

// onKeys calls the function of a key. If it returns false, the browser gets the key.
export function onKeys(actions) {
	document.addEventListener("keydown", (event) => {
		const { key, target } = event, pressed = [" ", "Enter"].includes(key) && target.matches?.("button, a, summary, [type=checkbox]");
		const action = actions[key] ?? actions[key?.toLowerCase()];
		if (action && !typing(event) && !pressed && action(event) !== false) event.preventDefault();
	});
}

// stepping lets the buttons [data-step] and their keys go through plies. at() is the present ply.
export function stepping(root, at, last, go) {
	const by = (n) => (event) => go(at() + (event.shiftKey ? 10 * n : n));
	const to = { first: () => go(0), before: by(-1), next: by(1), last: () => go(last()) };
	for (const step of root.querySelectorAll("[data-step]")) {
		step.addEventListener("click", (event) => { event.preventDefault(); to[step.dataset.step]?.(event); });
	}
	onKeys({ ArrowLeft: to.before, ArrowRight: to.next, Home: to.first, End: to.last });
}

// onLinks calls follow with a clicked link, unless it opens a new tab or window.
export function onLinks(root, selector, follow) {
	root.addEventListener("click", (event) => {
		const link = event.target.closest(selector);
		if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
		event.preventDefault();
		follow(link);
	});
}

// onSlides calls slide(move) for each stroke of a finger over an element, slide(move, key) for each key, and hold for a
// finger that rested.
export function onSlides(element, slide, hold) {
	for (const [key, move] of Object.entries({ ...slideKeys, ...arrows })) onKeys({ [key]: () => slide(move, key) });
	let from;
	element.addEventListener("pointerdown", (event) => { from = event; });
	element.addEventListener("pointerup", (event) => {
		const x = event.clientX - from?.clientX, y = event.clientY - from?.clientY, far = Math.hypot(x, y) > 24, held = event.timeStamp - from?.timeStamp > 400;
		from = null;
		if (far) slide(x * x > y * y ? (x > 0 ? "E" : "W") : y > 0 ? "S" : "N");
		else if (held) hold?.(event);
	});
}

enliven(document);
const opener = document.querySelector("#keys-open button");
if (opener) {
	const own = document.querySelector("details[data-keys]"); // a page with keys of its own
	opener.onclick = () => (own ? (own.open = true, own.focus()) : document.getElementById("keys").showModal());
	onKeys({ "?": opener.onclick });
}
