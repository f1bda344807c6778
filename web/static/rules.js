// The rules of the game on plain values, as package rules has them. A position is
// {tiles: rows of numbers, side: "attacker" or "defender", score}.

export const slides = ["N", "S", "W", "E"];

// count returns the numbers from 0 to n - 1.
export const count = (n) => [...Array(n).keys()];

// lines returns the cells [x, y] of each line that a slide moves along, the wall first.
function lines(width, height, move) {
	const along = move === "W" || move === "E", back = move === "E" || move === "S";
	return count(along ? height : width).map((i) => {
		const line = count(along ? width : height).map((j) => (along ? [j, i] : [i, j]));
		return back ? line.reverse() : line;
	});
}

// slide returns {tiles, gain, steps} for a slide, or null if it changes nothing. A step is
// {tile, from: [x, y], to: [x, y], merged}; merged is set on both tiles that become one.
export function slide(tiles, move) {
	const after = tiles.map((row) => row.map(() => 0)), steps = [];
	let gain = 0;
	for (const line of lines(tiles[0].length, tiles.length, move)) {
		let place = 0, open = null; // the last step, if its tile can still merge
		for (const [x, y] of line) {
			const tile = tiles[y][x], merged = open?.tile === tile;
			if (!tile) continue;
			const [toX, toY] = merged ? open.to : line[place++];
			const step = { tile, from: [x, y], to: [toX, toY], merged };
			if (merged) open.merged = true;
			gain += merged ? 2 * tile : 0;
			open = merged ? null : step;
			after[toY][toX] += tile;
			steps.push(step);
		}
	}
	return String(after) === String(tiles) ? null : { tiles: after, gain, steps };
}

// placement reads a placement such as "(2,1)" or "(2,1,4)": {x, y, tile} from 0, or null.
export function placement(move) {
	const m = /^\((\d),(\d)(?:,(4))?\)$/.exec(move);
	return m && { x: m[1] - 1, y: m[2] - 1, tile: m[3] ? 4 : 2 };
}

// play returns the position after a legal move.
export function play({ tiles, score }, move) {
	const put = placement(move);
	if (put) return { tiles: tiles.map((row, y) => (y === put.y ? row.with(put.x, put.tile) : row)), side: "defender", score };
	const slid = slide(tiles, move);
	return { tiles: slid.tiles, side: "attacker", score: score + slid.gain };
}

// legal returns the legal moves of a position; fours says whether a 4 may be placed.
export function legal({ tiles, side }, fours) {
	if (side === "defender") return slides.filter((move) => slide(tiles, move));
	const puts = (x, y) => (fours ? [`(${x},${y})`, `(${x},${y},4)`] : [`(${x},${y})`]);
	return tiles.flatMap((row, y) => row.flatMap((tile, x) => (tile ? [] : puts(x + 1, y + 1))));
}

// read reads a position in the notation of package rules: "2,0/0,2 D 0 3".
export function read(text) {
	const [board, side, score] = text.split(" ");
	const tiles = board.split("/").map((row) => row.split(",").map(Number));
	return { tiles, side: side === "D" ? "defender" : "attacker", score: Number(score) };
}

// write is the opposite of read.
export const write = ({ tiles, side, score }, ply) => `${tiles.map(String).join("/")} ${side[0].toUpperCase()} ${score} ${ply}`;

// emptyBoard returns the position before the first move on a board such as "4x4".
export function emptyBoard(size) {
	const [width, height] = size.split("x").map(Number);
	return { tiles: count(height).map(() => Array(width).fill(0)), side: "attacker", score: 0 };
}
