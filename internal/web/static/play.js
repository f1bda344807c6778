// The page to play against a bot, or to watch two bots.

import { Board } from "./board.js";
import { ask } from "./champion.js";
import { arrows, onKeys, onSlides, stepping } from "./keys.js";
import { Match } from "./match.js";
import { fill, number, parts, piece, tell } from "./page.js";
import { empty, mated, play, read, write } from "./rules.js";
import { Screen } from "./watch.js";

const root = document.querySelector("[data-play]"), part = parts(root);
const area = part("area"), form = part("form"), fields = form.elements;
let game;

class Table extends Screen {
	show(position, ply, move, before) {
		super.show(position, ply, move, before);
		fill(part, { last: move ? `· ${move}` : "" });
	}

	begin(names) {
		Object.assign(this, { scores: [], known: null, cursor: null }); // the attacker's cell, by keys
		this.point();
		part("players").hidden = false;
		for (const name of ["hint", "after", "goal", "tile"]) part(name).hidden = true;
		for (const side in names) part(`player=${side}`).textContent = names[side];
	}

	reveal() { this.board.reveal(part("players")); }

	say(say) { fill(part, { say }); }

	// The board gets the focus of a button that offer hides.
	offer(...names) {
		const at = document.activeElement;
		for (const b of root.querySelectorAll("[data-do]")) b.hidden = !names.includes(b.dataset.do);
		if (at.hidden) area.focus({ preventScroll: true });
	}

	step(x, y) {
		const { tiles } = this.position, [oldX, oldY] = this.cursor ?? [-x, -y], height = tiles.length, width = tiles[0].length;
		this.cursor = [(oldX + x + width) % width, (oldY + y + height) % height];
		const cell = this.board.cell(...this.cursor);
		this.point(cell);
		this.say(cell.ariaLabel);
	}

	point(cell) {
		root.querySelector(".cursor")?.classList.remove("cursor");
		cell?.classList.add("cursor");
	}

	// hint shows a bot's opinion, and returns its move.
	async hint(bot, rules) {
		const { position, ply } = this, asked = { rules, position: write(position, ply) };
		const opinion = bot === "champion" && await ask({ ...asked, ms: 300 }).catch(() => {}) || null; // null: the arena searches
		const { body } = await piece("/parts/hint", { bot, ...asked, opinion });
		const { move } = body.firstElementChild.dataset;
		if (position !== this.position) return move;
		this.board.point(move);
		part("hint").replaceChildren(...body.children);
		part("hint").hidden = false;
		return move;
	}
}

class Steps {
	constructor(table, asked) {
		Object.assign(this, { table, asked, past: [] }); // past: the position and the ply before each move
	}

	begin() {
		const { table, asked: { attacker, defender, size } } = this;
		table.begin({ attacker, defender });
		table.show(empty(size), 0);
		table.reveal();
		table.say("Press One move, or Play on.");
		this.offer();
	}

	offer() {
		if (this.left) return;
		this.table.part("do=run").textContent = this.running ? "Pause" : "Play on";
		this.table.offer(...(mated(this.table.position) ? ["again"] : ["step", "run"]), this.past.length ? "undo" : "");
	}

	// step plays the move that a bot thinks about.
	step() {
		return this.next ??= this.move().finally(() => {
			this.next = null;
			this.offer();
		});
	}

	async move() {
		const { table, asked } = this, { position, ply } = table;
		const move = await table.hint(asked[position.side], asked.rules);
		if (table.position !== position || this.left) return; // undone, or left
		this.past.push([position, ply]);
		const next = play(position, move);
		table.show(next, ply + 1, move, position);
		table.say(mated(next) ? `The game is over: ${number(next.score)} points.` : `The ${position.side} plays ${move}.`);
	}

	async run() {
		this.running = !this.running;
		this.offer();
		try {
			while (this.running && !mated(this.table.position)) await this.step();
		} finally {
			this.running = false;
			this.offer();
		}
	}

	undo() {
		this.running = false;
		this.table.show(...this.past.pop());
		this.offer();
	}

	leave() { this.running = false; this.left = true; }
}

const table = new Table(root);

// example is an option of the chosen bot, "" for a connected one.
const example = () => fields.opponent.selectedOptions[0].dataset.example;

function asked() {
	const { mode, opponent: bot, second, options = "", clock, ...game } = Object.fromEntries(new FormData(form));
	const connected = !example(), opponent = options.trim() ? `${bot}:${options.trim()}` : bot;
	if (mode === "bots") return { ...game, mode, attacker: game.rules === "solo" ? "chance" : opponent, defender: second };
	return { ...game, role: mode, opponent, connected, move_ms: Number(clock), recorded: fields.recorded.checked };
}

// against is the form's game, against a level.
function against({ dataset: { level, spec } }) {
	if (fields.mode.value === "bots") fields.mode.value = "defender";
	return { ...asked(), opponent: `${level}=${spec}`, level, connected: false };
}

// linked is the game that an address such as /play?level=club asks for, or null.
function linked() {
	const { level, role, opponent, position, beat, ...rest } = Object.fromEntries(new URLSearchParams(location.search));
	const button = level && part(`level="${level}"`);
	if (!button && !opponent) return null;
	for (const name of ["rules", "size"]) if (rest[name]) fields[name].value = rest[name];
	fields.mode.value = role === "attacker" ? role : "defender";
	form.onchange();
	const game = button ? against(button) : { ...asked(), opponent, connected: false };
	if (beat) game.beat = Number(beat);
	if (!position) return game;
	const { tiles } = read(position);
	return { ...game, start: position, recorded: false, size: `${tiles[0].length}x${tiles.length}` };
}

async function begin(what) {
	part("start").disabled = true;
	try {
		await game?.leave();
		root.game = game = what.mode === "bots" ? new Steps(table, what) : new Match(table, what);
		await game.begin();
	} finally {
		part("start").disabled = false;
	}
}

async function attempt(what) {
	tell(part("wrong"));
	try {
		await what();
	} catch ({ message }) {
		tell(part("wrong"), message);
		table.say(message);
	}
}

const press = (name) => attempt(() => (name === "again" ? begin({ ...game.asked, first: null }) : name === "swap" ? begin(game.swapped()) : game[name]()));

// place places the chosen tile, or a 4 for a hold.
function place(at, held) {
	if (!at || game?.role !== "attacker" || game.over) return false;
	const [x, y] = at, four = !part("tile").hidden && (held || root.querySelector("[name=tile]:checked").value === "4");
	game.move(`(${x + 1},${y + 1}${four ? ",4" : ""})`);
}

area.onclick = ({ target }, held) => {
	const cell = target.closest(".cell");
	place(cell && Board.at(cell), held);
};
const steps = { N: [0, -1], S: [0, 1], W: [-1, 0], E: [1, 0] };
onSlides(area, (move, key) => {
	if (!game?.role || game.over) return false;
	return game.role === "defender" ? game.move(move) : !!arrows[key] && table.step(...steps[move]);
}, (event) => area.onclick(event, true));
const choose = ({ key }) => { root.querySelector(`[name=tile][value="${key}"]`).checked = true; };
onKeys({
	2: choose, 4: choose, u: () => !part("do=undo").hidden && press("undo"),
	Enter: () => place(table.cursor),
});
stepping(root, () => game?.after?.at ?? 0, () => game?.line?.length - 1, (to) => (game?.after ? game.after.go(to) : false));
part("actions").onclick = ({ target }) => { if (target.dataset.do) press(target.dataset.do); };
for (const button of root.querySelectorAll("[data-level]")) button.onclick = () => attempt(() => begin(against(button)));
form.onsubmit = (event) => {
	event.preventDefault();
	attempt(() => begin(asked()));
};
form.onchange = () => {
	if (fields.rules.value === "solo" && fields.mode.value === "attacker") {
		fields.mode.value = "defender";
		tell(part("wrong"), "Under solo chance attacks: you defend.");
	}
	Object.assign(fields.options, { placeholder: example(), disabled: !example() });
};
form.onchange();
window.onbeforeunload = (event) => { if (game?.over === false) event.preventDefault(); };
const first = part("wrong").hidden && linked();
if (first) attempt(() => begin(first));
