// The rules of the game, as in package rules, on plain values. A position is
// {tiles: rows of numbers, side: "attacker" or "defender", score}.

export const other = { attacker: "defender", defender: "attacker" };

// lines returns the cells [x, y] of each line that a slide moves along, the wall first.
function lines(tiles, move) {
	const rows = tiles.map((row, y) => row.map((_, x) => [x, y]));
	const all = "WE".includes(move) ? rows : rows[0].map((_, x) => rows.map((row) => row[x]));
	return "ES".includes(move) ? all.map((line) => line.reverse()) : all;
}

// slide returns {tiles, gain, steps} for a slide, or null if it changes nothing. A step is
// {tile, from: [x, y], to: [x, y], merged}; merged is set on both tiles that become one.
export function slide(tiles, move) {
	const after = tiles.map((row) => row.map(() => 0)), steps = [];
	let gain = 0;
	for (const line of lines(tiles, move)) {
		let place = 0, open = null; // the last step, if its tile can still merge
		for (const [x, y] of line) {
			const tile = tiles[y][x], merged = open?.tile === tile;
			if (!tile) continue;
			const [toX, toY] = merged ? open.to : line[place++];
			const step = { tile, from: [x, y], to: [toX, toY], merged };
			if (merged) open.merged = true;
			gain += merged ? 2 * tile : 0;
			open = merged || tile === 65536 ? null : step; // a 65536 never merges
			after[toY][toX] += tile;
			steps.push(step);
		}
	}
	return String(after) === String(tiles) ? null : { tiles: after, gain, steps };
}

// placement reads a placement such as "(2,1,4)": {x, y, tile}, from 0; nothing for a slide.
export function placement(move) {
	const [x, y, tile = 2] = move?.match(/\d/g) ?? [];
	return y && { x: x - 1, y: y - 1, tile: Number(tile) };
}

// play returns null for a move that cannot be played.
export function play({ tiles, score }, move) {
	const put = placement(move);
	if (put) return tiles[put.y][put.x] ? null : { tiles: tiles.with(put.y, tiles[put.y].with(put.x, put.tile)), side: "defender", score };
	const slid = slide(tiles, move);
	return slid && { tiles: slid.tiles, side: "attacker", score: score + slid.gain };
}

export const mated = ({ tiles, side }) => side === "defender" && ![..."NSWE"].some((move) => slide(tiles, move));

// size is such as "4x4".
export function empty(size) {
	const [width, height] = size.split("x").map(Number);
	return { tiles: Array(height).fill(Array(width).fill(0)), side: "attacker", score: 0 };
}

// read reads a position such as "2,0/0,2 D 0 3", and write writes it.
export function read(text) {
	const [board, side, score] = text.split(" ");
	const tiles = board.split("/").map((row) => row.split(",").map(Number));
	return { tiles, side: side === "D" ? "defender" : "attacker", score: Number(score) };
}
export const write = ({ tiles, side, score }, ply) => `${tiles.map(String).join("/")} ${side[0].toUpperCase()} ${score} ${ply}`;
