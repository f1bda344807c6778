// A board that shows a stream of frames: on the first page, and on other sites.

import { Board } from "./board.js";
import { follow } from "./live.js";
import { number } from "./moment.js";
import { play, read } from "./rules.js";
import { Sides } from "./sides.js";

// watch shows the frames of the stream at a URL on the board in root, and the games that it names.
// onGame is called when it goes on to another game.
export function watch(root, url, onGame = () => {}) {
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
      root.querySelector(`[data-side=${side}] .place`)?.remove();
    }
    position = null;
    part("announcer").textContent = `Next game: ${game.attacker} attacks, ${game.defender} defends`;
    onGame(game);
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
    part("result").textContent = frame.result;
    sides.show(frame.side, frame.clocks, frame.away);
    if (!frame.live && frame.ending !== "unfinished") root.dispatchEvent(new CustomEvent("over"));
  };

  return follow(url, { game: showGame, frame: showFrame });
}
