// An event's games, with only the rows near the view.

import { insist, parts, piece, put, swap } from "./page.js";

const spare = 24, limit = 60; // games above the view, and in all
const height = 44; // of a row

// gameList returns a function that loads the games on the page again.
export function gameList(root, event) {
	const part = parts(root), form = part("games-filter"), scroller = part("games-list"), table = scroller.querySelector("table");
	let first, waiting, asked;
	const load = async () => {
		const query = asked = new URLSearchParams({ ...Object.fromEntries(new FormData(form)), offset: first, limit });
		const fresh = await insist(() => asked === query && piece(`/parts/events/${event}/games?${query}`));
		if (!fresh || asked !== query) return; // others have been requested meanwhile
		const { tBodies: [next], ariaRowCount } = fresh.querySelector("table");
		put(table.tBodies[0], next, scroller);
		table.ariaRowCount = ariaRowCount;
		swap(fresh, "[data-games-count]");
	};
	// scrolled loads other games if the view comes near the end of these.
	const scrolled = () => {
		waiting = null;
		const place = Math.max(0, Math.floor(scroller.scrollTop / height) - spare), moved = Math.abs(place - first);
		if (moved <= spare / 2 && (place || !moved)) return;
		first = place;
		load();
	};
	scroller.classList.add("windowed");
	scroller.onscroll = () => { waiting ??= setTimeout(scrolled, 80); };
	form.onchange = () => form.requestSubmit();
	scrolled();
	return load;
}
