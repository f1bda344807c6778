// The page on which a person plays against a bot, or looks at two bots move by move.

import { Board } from "./board.js";
import { arrows, onKeys, slideKeys } from "./keys.js";
import { Match } from "./match.js";
import { Steps } from "./steps.js";
import { parts, piece, tell } from "./page.js";
import { write } from "./rules.js";
import { Screen } from "./watch.js";

const root = document.querySelector("[data-play]");
const part = parts(root);
const area = part("area"), form = part("form"), fields = form.elements;
let game = null;

// Table is the board with what surrounds it, whoever plays.
class Table extends Screen {
	show(position, ply, move, before) {
		super.show(position, ply, move, before);
		part("last").textContent = move ? `· ${move}` : "";
	}

	// begin shows who plays.
	begin(names) {
		this.cursor = null; // the cell on which the keys of an attacker stand
		part("players").hidden = false;
		part("hint").hidden = true;
		for (const side in names) part(`player=${side}`).textContent = names[side];
	}

	say(text) { part("say").textContent = text; }

	// offer shows these buttons and no others.
	offer(...names) { for (const b of root.querySelectorAll("[data-do]")) b.hidden = !names.includes(b.dataset.do); }

	// step moves the cursor.
	step(x, y) {
		const { tiles } = this.position, [oldX, oldY] = this.cursor ?? [-x, -y], height = tiles.length, width = tiles[0].length;
		this.cursor = [(oldX + x + width) % width, (oldY + y + height) % height];
		root.querySelector(".cursor")?.classList.remove("cursor");
		const cell = this.board.cell(...this.cursor);
		cell.classList.add("cursor");
		this.say(cell.ariaLabel);
	}

	// hint lists what a bot thinks of the moves, and what they are worth under perfect play. It returns
	// the bot's move.
	async hint(bot, rules) {
		const { position, ply } = this;
		const { body } = await piece("/parts/hint", { bot, rules, position: write(position, ply) });
		const { move } = body.firstElementChild.dataset;
		if (ply !== this.ply) return move;
		part("hint").replaceChildren(...body.children);
		part("hint").hidden = false;
		return move;
	}
}

const table = new Table(root);

// asked returns the game that the form describes.
function asked() {
	const values = Object.fromEntries(new FormData(form)), { mode, options, rules, size, second, name } = values;
	const connected = "connected" in fields.opponent.selectedOptions[0].dataset;
	const opponent = connected || !options.trim() ? values.opponent : `${values.opponent}:${options.trim()}`;
	if (mode === "bots") return { mode, attacker: rules === "solo" ? "chance" : opponent, defender: second, rules, size };
	return { role: mode, opponent, connected, rules, size, name, move_ms: Number(values.clock), recorded: fields.recorded.checked };
}

// begin starts a game, once the one before is left.
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

// attempt does something and shows why it fails.
async function attempt(what) {
	tell(part("wrong"));
	try {
		await what();
	} catch (error) {
		tell(part("wrong"), error.message);
		table.say(error.message);
	}
}

function press(name) {
	attempt(() => (name === "again" ? begin(game.asked) : name === "swap" ? begin(game.swapped()) : game[name]()));
}

// place places the chosen tile on a cell.
function place([x, y]) {
	const four = !part("tile").hidden && root.querySelector("[name=tile]:checked").value === "4";
	game.move(`(${x + 1},${y + 1}${four ? ",4" : ""})`);
}

// swipes turns a stroke of a finger into a slide.
function swipes() {
	let from = null;
	area.addEventListener("pointerdown", (event) => { from = event; });
	area.addEventListener("pointerup", (event) => {
		const [x, y] = [event.clientX - from?.clientX, event.clientY - from?.clientY];
		from = null;
		if (game?.role !== "defender" || !(Math.max(Math.abs(x), Math.abs(y)) > 24)) return;
		game.move(Math.abs(x) > Math.abs(y) ? (x > 0 ? "E" : "W") : y > 0 ? "S" : "N");
	});
}

const steps = { N: [0, -1], S: [0, 1], W: [-1, 0], E: [1, 0] };
for (const [key, move] of Object.entries({ ...slideKeys, ...arrows })) {
	const action = () => {
		if (game?.role === "attacker" && arrows[key]) return table.step(...steps[move]);
		return game?.role === "defender" ? game.move(move) : false;
	};
	onKeys({ [key]: action, ...(slideKeys[key] && { [key.toUpperCase()]: action }) });
}
const choose = ({ key }) => { root.querySelector(`[name=tile][value="${key}"]`).checked = true; };
onKeys({
	2: choose, 4: choose, u: () => !part("do=undo").hidden && press("undo"),
	Enter: () => (game?.role === "attacker" && table.cursor ? place(table.cursor) : false),
});
area.addEventListener("click", (event) => {
	const cell = event.target.closest(".cell");
	if (cell && game?.role === "attacker") place(Board.at(cell));
});
swipes();
part("actions").addEventListener("click", (event) => { if (event.target.dataset.do) press(event.target.dataset.do); });
form.addEventListener("submit", (event) => { event.preventDefault(); attempt(() => begin(asked())); });
form.addEventListener("change", () => {
	if (fields.rules.value === "solo" && fields.mode.value === "attacker") fields.mode.value = "defender";
});
