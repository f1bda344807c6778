#!/usr/bin/env node
// A bot for versus 2048.
//
//     node bot.mjs                                speaks the line protocol on stdin and stdout
//     node bot.mjs ws://127.0.0.1:2048/bot NAME   connects to an arena (Node 22 or newer)
//     node bot.mjs perft gpcc2015 0,0/0,0 A 8     counts sequences of plies, to test the rules

import { createInterface } from "node:readline";

const NAME = "mybot", VERSION = "1";
const LARGEST = 65536; // two of these do not merge

// The rules. A board is a list of rows, a row a list of tiles, 0 is an empty cell.

// slideRow slides a row to the left and returns the row after it, and the score.
function slideRow(row) {
	const tiles = row.filter((tile) => tile), out = [];
	let score = 0;
	while (tiles.length) {
		let tile = tiles.shift();
		if (tiles[0] === tile && tile !== LARGEST) {
			tile += tiles.shift();
			score += tile;
		}
		out.push(tile);
	}
	return [row.map((_, x) => out[x] ?? 0), score];
}

const transposed = (board) => board[0].map((_, x) => board.map((row) => row[x]));
const reversed = (board) => board.map((row) => [...row].reverse());

// slide returns the board after a slide, and the score.
function slide(board, move) {
	const vertical = "NS".includes(move), back = "SE".includes(move);
	let lines = vertical ? transposed(board) : board, score = 0;
	if (back) lines = reversed(lines);
	lines = lines.map((line) => {
		const [after, gain] = slideRow(line);
		score += gain;
		return after;
	});
	if (back) lines = reversed(lines);
	return [vertical ? transposed(lines) : lines, score];
}

// slides returns the defender's legal moves as [move, board after it, score].
function slides(board) {
	const moves = [..."NSWE"].map((move) => [move, ...slide(board, move)]);
	return moves.filter(([, after]) => String(after) !== String(board));
}

// placements returns the attacker's legal moves as [move, board after it].
function placements(board, rules) {
	const moves = [];
	board.forEach((row, y) => row.forEach((taken, x) => {
		if (taken) return;
		for (const tile of rules === "gpcc2015" ? [2] : [2, 4]) {
			const after = board.map((row) => [...row]);
			after[y][x] = tile;
			moves.push([tile === 4 ? `(${x + 1},${y + 1},4)` : `(${x + 1},${y + 1})`, after]);
		}
	}));
	return moves;
}

// The choice. Begin here to make the bot stronger.

// worth says what a board is worth to the defender after a slide: a point for each empty cell.
const worth = (board) => board.flat().filter((tile) => !tile).length;

// bestSlide returns the value of the best slide, and the slide. Nothing is worse than mate.
function bestSlide(board) {
	let best = [-1, null];
	for (const [move, after, score] of slides(board)) {
		if (score + worth(after) > best[0]) best = [score + worth(after), move];
	}
	return best;
}

// choose returns a move: the best slide, or the placement with the worst best answer.
function choose(board, side, rules) {
	if (side === "D") return bestSlide(board)[1];
	const valued = placements(board, rules).map(([move, after]) => [bestSlide(after)[0], move]);
	return valued.reduce((best, next) => (next[0] < best[0] ? next : best))[1];
}

// perft counts the sequences of that many plies.
function perft(board, side, rules, plies) {
	const moves = side === "D" ? slides(board) : placements(board, rules);
	if (plies === 1) return moves.length;
	const other = side === "D" ? "A" : "D";
	return moves.reduce((sum, [, after]) => sum + perft(after, other, rules, plies - 1), 0);
}

// read reads a board such as 2,0/0,4.
const read = (text) => text.split("/").map((row) => row.split(",").map(Number));

// answerLines answers the lines of an arena.
async function answerLines() {
	for await (const line of createInterface({ input: process.stdin })) {
		const [word, board, side, ...rest] = line.trim().split(/\s+/);
		if (word === "v2048") console.log(`id name ${NAME}\nid version ${VERSION}\nready`);
		if (word === "go") {
			const { rules } = Object.fromEntries(rest.map((key) => key.split("=", 2)));
			console.log(`move ${choose(read(board), side, rules)}`);
		}
		if (word === "quit") process.exit();
	}
}

// connect plays over the network until the arena says goodbye, and comes back after a loss.
function connect(url, name, resume = "", pause = 1) {
	if (!globalThis.WebSocket) process.exit(console.error("this needs Node 22 or newer, or --experimental-websocket") ?? 1);
	const socket = new WebSocket(url, "versus2048.v1"), games = new Map(); // Node answers pings
	const send = (message) => socket.send(JSON.stringify(message));
	let again = true, next = 1;
	const on = {
		welcome(m) { resume = m.resume, pause = 1; },
		start(m) { games.set(m.game, m); },
		request({ game, ply, board }) {
			const { role, rules } = games.get(game);
			send({ type: "move", game, ply, move: choose(board, role === "defender" ? "D" : "A", rules) });
		},
		over(m) { console.error(m); }, error(m) { console.error(m.message); },
		goodbye(m) { again = m.reconnect; },
		refusal({ code, message }) { // it may not have noticed yet that the bot was away or killed
			again = ["name_in_use", "busy", "internal_error"].includes(code);
			next = Math.min(2 * pause, 5);
			console.error(message, again ? `- trying again in ${pause} s` : "");
		},
	};
	const token = process.env.VERSUS2048_TOKEN ?? "";
	socket.onopen = () => send({ type: "hello", name, version: VERSION, slots: 4, token, resume });
	socket.onmessage = ({ data }) => { const m = JSON.parse(data); on[m.type]?.(m); };
	// In Node 22 a connection that fails has an error and no close, one that is lost may have both.
	const retry = () => { if (again) setTimeout(connect, 1000 * pause, url, name, resume, next); again = false; };
	socket.onerror = ({ message }) => { console.error(`lost ${url}: ${message}`); retry(); };
	socket.onclose = retry;
}

const [first, ...more] = process.argv.slice(2);
if (first === "perft") {
	const [rules, board, side, plies] = more;
	console.log(...Array.from({ length: plies }, (_, n) => perft(read(board), side, rules, n + 1)));
} else if (first) {
	connect(first, more[0] ?? NAME);
} else {
	await answerLines();
}
