// The first page: featured games, one after the other, and lists of the other games.

import { follow } from "./live.js";
import { renew } from "./page.js";
import { watch } from "./watch.js";

const tv = document.querySelector("[data-tv]");
const refresh = () => { if (!document.hidden) renew("#home-side"); };

if (tv.dataset.game) {
	watch(tv, `/api/tv?seen=${tv.dataset.game}-${tv.dataset.ply}`, { next: refresh, lists: refresh });
} else {
	follow("/api/tv", { game: () => location.reload(), lists: refresh });
}
document.addEventListener("visibilitychange", refresh);
