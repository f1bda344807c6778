// The board of a game for other sites. A finished game shows one ply.

import { Screen, watch } from "./watch.js";

const root = document.querySelector("[data-tv]");
const { game, ply, live } = root.dataset;
if (live !== undefined) {
	const stream = watch(new Screen(root), `/api/games/${game}/live?seen=${game}-${ply}`, { over: () => stream.close() });
}
