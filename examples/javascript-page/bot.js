// A bot for versus 2048 that plays in the page /play of an arena, in place of the person, and
// elsewhere over stdin and stdout (docs/STDIO.md). It searches with alpha-beta, ever deeper until
// its time is up.
//
// In the page: start a game on /play, open the browser's console (F12), and paste this file.
// To stop it, type: stopBot()
//
// Elsewhere: arena event run --bot 'js=exec:node bot.js' --bot greedy

(() => {
	const LARGEST = 65536; // two of these do not merge
	const MATE = -100000; // what is lost when no slide is left

	// The rules. A board is a list of rows of tiles; 0 is an empty cell.

	// slideRow slides a row to the left and returns the row after it, and the score.
	function slideRow(row) {
		const out = [];
		let score = 0, open = false; // open: the last tile can still merge
		for (const tile of row) {
			if (!tile) continue;
			if (open && out.at(-1) === tile && tile !== LARGEST) {
				out[out.length - 1] = 2 * tile;
				score += 2 * tile;
				open = false;
			} else {
				out.push(tile);
				open = true;
			}
		}
		while (out.length < row.length) out.push(0);
		return [out, score];
	}

	const transposed = (board) => board[0].map((_, x) => board.map((row) => row[x]));
	const reversed = (board) => board.map((row) => [...row].reverse());

	// slides returns the defender's legal moves as [move, board after it, score].
	function slides(board) {
		const moves = [];
		for (const move of "NSWE") {
			const vertical = move === "N" || move === "S", back = move === "S" || move === "E";
			let lines = vertical ? transposed(board) : board, gain = 0, moved = false;
			if (back) lines = reversed(lines);
			lines = lines.map((line) => {
				const [after, score] = slideRow(line);
				gain += score;
				moved ||= after.some((tile, i) => tile !== line[i]);
				return after;
			});
			if (!moved) continue;
			if (back) lines = reversed(lines);
			moves.push([move, vertical ? transposed(lines) : lines, gain]);
		}
		return moves;
	}

	// placements returns the attacker's legal moves in the same way.
	function placements(board, rules) {
		const moves = [];
		board.forEach((row, y) => row.forEach((taken, x) => {
			if (taken) return;
			for (const tile of rules === "gpcc2015" ? [2] : [2, 4]) {
				const after = board.map((row) => [...row]);
				after[y][x] = tile;
				moves.push([tile === 4 ? `(${x + 1},${y + 1},4)` : `(${x + 1},${y + 1})`, after, 0]);
			}
		}));
		return moves;
	}

	// The search.

	// worth estimates what the defender still gets: room, and how little neighbours differ.
	function worth(board) {
		let value = 0;
		const pair = (a, b) => (a && b ? 4 - 2 * Math.abs(Math.log2(a / b)) : 0);
		board.forEach((row, y) => row.forEach((tile, x) => {
			if (!tile) value += 16;
			else value += pair(tile, row[x + 1]) + pair(tile, board[y + 1]?.[x]);
		}));
		return value;
	}

	// search returns the best move within a time, and what it found.
	function search(board, side, rules, milliseconds) {
		const began = performance.now();
		let nodes = 0, found = null;

		// alphabeta returns [what the defender gets, the moves that lead there].
		function alphabeta(board, side, depth, low, high) {
			if (++nodes % 64 === 0 && found && performance.now() - began > milliseconds) throw "time";
			if (depth <= 0 && side === "A") return [worth(board), []];
			const defends = side === "D", moves = defends ? slides(board) : placements(board, rules);
			let best = [defends ? MATE : Infinity, []];
			for (const [move, after, gain] of moves) {
				if (low >= high) break;
				const other = defends ? "A" : "D";
				const [next, line] = alphabeta(after, other, depth - 1, low - gain, high - gain);
				const value = gain + next;
				if (best[1].length && (defends ? value <= best[0] : value >= best[0])) continue;
				best = [value, [move, ...line]];
				if (defends) low = Math.max(low, value);
				else high = Math.min(high, value);
			}
			return best;
		}

		for (let depth = 1; depth <= 20; depth++) {
			try {
				const [value, line] = alphabeta(board, side, depth, -Infinity, Infinity);
				found = { depth, value: Math.round(value), line };
				if (value < MATE / 2) break; // deeper there is nothing new
			} catch (reason) {
				if (reason !== "time") throw reason;
				break;
			}
		}
		return { ...found, nodes, time: Math.round(performance.now() - began) };
	}

	// In the page: whenever it is the person's turn, the bot moves.
	function playInPage() {
		globalThis.stopBot?.();
		const root = document.querySelector("[data-play]");
		if (!root) return console.error("Open the page /play of an arena first.");
		const timer = setInterval(() => {
			const { game } = root;
			if (!game?.turn) return;
			const { tiles, side } = game.table.position;
			const { line, value } = search(tiles, side === "defender" ? "D" : "A", game.asked.rules, 100);
			console.log(`${line.join(" ")}: ${value} points more`);
			game.move(line[0]);
		}, 100);
		globalThis.stopBot = () => clearInterval(timer);
	}

	// Elsewhere: the line protocol.
	async function answerLines() {
		const { createInterface } = await import("node:readline");
		let setting = 100;
		const change = (text) => { if (text.startsWith("time_ms=")) setting = Number(text.slice(8)); };
		process.argv.slice(2).forEach(change);
		for await (const text of createInterface({ input: process.stdin })) {
			const [word, ...words] = text.trim().split(/\s+/);
			if (word === "v2048") {
				console.log("id name javascript\nid version 1");
				console.log(`option name=time_ms type=int min=1 max=600000 default=${setting}\nready`);
			}
			if (word === "set") change(words[0]);
			if (word === "go") {
				const [board, side, ...rest] = words;
				const { rules, left_ms } = Object.fromEntries(rest.map((key) => key.split("=", 2)));
				const time = Math.min(setting, Number(left_ms ?? Infinity) / 3);
				const tiles = board.split("/").map((row) => row.split(",").map(Number));
				const { line, depth, nodes, value, time: spent } = search(tiles, side, rules, time);
				console.log(`info depth=${depth} nodes=${nodes} value=${value} pv=${line} time_ms=${spent}`);
				console.log(`move ${line[0]}`);
			}
			if (word === "quit") process.exit();
		}
	}

	if (typeof document === "undefined") answerLines();
	else playInPage();
})();
