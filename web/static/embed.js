// The board of a game for other sites. A finished game stays at its ply.

import { watch } from "./watch.js";

const root = document.querySelector("[data-tv]");
if ("live" in root.dataset) {
  const stream = watch(root, `/api/games/${root.dataset.game}/live?seen=${root.dataset.game}-${root.dataset.ply}`);
  root.addEventListener("over", () => stream.close());
}
