// An event's games, with only the rows near the view.

import { barred, parts, piece, put, swap } from "./page.js";

const spare = 24, limit = 60; // games above the view, and in all
const height = 44; // of a row

// gameList returns a function that loads the games on the page again.
export function gameList(root, event) {
	const part = parts(root), form = part("games-filter"), scroller = part("games-list"), table = scroller.querySelector("table");
	let first, waiting, asked;
	const load = async () => {
		const query = asked = new URLSearchParams({ ...Object.fromEntries(new FormData(form)), offset: first, limit });
		try {
			const fresh = await piece(`/parts/events/${event}/games?${query}`), { tBodies: [next], ariaRowCount } = fresh.querySelector("table");
			if (asked !== query) return; // others have been requested meanwhile
			put(table.tBodies[0], next, scroller);
			table.ariaRowCount = ariaRowCount;
			swap(fresh, "[data-games-count]");
		} catch (error) {
			if (!barred(error)) setTimeout(() => asked === query && load(), 2000);
		}
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
