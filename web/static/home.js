// The first page: the featured game, one after the other, and what else is being played.

import { follow } from "./live.js";
import { localise } from "./moment.js";
import { watch } from "./watch.js";

localise();

const refreshTime = 5000; // milliseconds

// refresh shows the news beside the board as the server now makes it.
async function refresh() {
  if (document.hidden) return;
  const old = document.querySelector(".home-side");
  if (old.contains(document.activeElement)) return;
  const answer = await fetch("/").catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.querySelector(".home-side");
  if (!fresh) return;
  localise(fresh);
  if (fresh.innerHTML !== old.innerHTML) old.replaceWith(document.adoptNode(fresh));
}

const tv = document.querySelector("[data-tv]");
if (tv?.dataset.game) {
  watch(tv, `/api/tv?seen=${tv.dataset.game}-${tv.dataset.ply}`, refresh);
  setInterval(refresh, refreshTime);
} else {
  follow("/api/tv", { game: () => location.reload() });
}
