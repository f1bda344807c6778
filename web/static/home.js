// The first page: the featured game, one after the other.

import { Board } from "./board.js";
import { follow } from "./live.js";
import { localise, number } from "./moment.js";
import { play, read } from "./rules.js";
import { Sides } from "./sides.js";

localise();
const tv = document.querySelector("[data-tv]");
if (tv?.dataset.game) watch(tv);
else follow("/api/tv", { game: () => location.reload() });

function watch(root) {
  const board = new Board(root.querySelector("[data-board]"));
  const sides = new Sides(root);
  const part = (name) => root.querySelector(`[data-${name}]`);
  let position = null, ply = Number(root.dataset.ply);

  const showGame = (game) => {
    root.dataset.game = game.game;
    for (const link of root.querySelectorAll("[data-link]")) link.href = `/games/${game.game}`;
    for (const side of ["attacker", "defender"]) {
      const bot = root.querySelector(`[data-side=${side}] .bot`);
      bot.querySelector("bdi").textContent = game[side];
      bot.href = `/bots/${encodeURIComponent(game[side])}`;
    }
    position = null;
    part("announcer").textContent = `Next game: ${game.attacker} attacks, ${game.defender} defends`;
  };

  const showFrame = (frame) => {
    if (frame.start) position = read(frame.start);
    else if (frame.from !== ply) position = null;
    let before = null;
    for (const move of frame.moves) {
      before = position;
      position = position && play(position, move);
    }
    ply = frame.ply;
    position = { tiles: frame.tiles, side: frame.side, score: frame.score };
    board.show(position, frame.moves.at(-1), frame.moves.length === 1 ? before : null);
    part("score").textContent = number(frame.score);
    part("ply-text").textContent = frame.ply;
    part("result").textContent = frame.live ? "in progress" : `${frame.ending}${frame.detail ? `: ${frame.detail}` : ""}`;
    sides.show(frame.side, frame.clocks);
  };

  follow(`/api/tv?seen=${root.dataset.game}-${root.dataset.ply}`, { game: showGame, frame: showFrame });
}
