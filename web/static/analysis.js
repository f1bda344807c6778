// The page of a position: moves are played on the board, and everything beside it follows. What the
// page says about a position is made by the server: this module puts it in place.

import { Board } from "./board.js";
import { onKeys, onLinks, slideKeys, stepping } from "./keys.js";
import { listen } from "./live.js";
import { number } from "./moment.js";
import { fill, made, make, parse, parts, swap, tell } from "./page.js";
import { emptyBoard, read } from "./rules.js";

const root = document.querySelector("[data-study]");
const part = parts(root);
const fields = part("setup").elements;
let { position, rules } = root.dataset; // what the page shows
let line = [{ address: location.href }]; // the positions by moves played here
let at = 0, shown = 0; // where in the line one is, and what the page shows of it
let tiles = null; // while they are set by hand
let loading, exploring, search; // what is on its way, to be aborted

// go shows a position of the line.
async function go(to) {
	to = Math.max(0, Math.min(to, line.length - 1));
	if (to === at || tiles) return;
	const before = read(position).tiles, forward = shown === at && to === at + 1;
	at = to;
	const { move, address } = line[at];
	history.replaceState(null, "", address);
	showLine();
	if (!await load(address)) return;
	shown = to;
	part("announcer").textContent = `${move ?? "start"}: ${part("board").ariaLabel}`;
	if (forward) new Board(part("board")).animate(before, move);
}

// playOn plays the moves of links, one after the other, after a position of the line.
function playOn(from, ...links) {
	if (tiles || shown !== at) return;
	line.splice(from + 1, Infinity, ...links.map((link) => ({ move: link.dataset.play, address: link.href })));
	at = Math.min(at, from);
	go(from + links.length);
}

// showLine shows the moves that were played, each a button that leads back to it.
function showLine() {
	const back = ({ move }, i) => make("button", { type: "button", onclick: () => go(i + 1), ariaCurrent: i + 1 === at ? "true" : null }, move);
	part("line").replaceChildren(...line.slice(1).map(back));
}

// load puts what the server says about the position at an address in place, and reports whether it did:
// not if the position is impossible, or another one was asked for meanwhile.
async function load(address) {
	loading?.abort();
	const { signal } = loading = new AbortController();
	const page = await made(address, signal).catch(() => null);
	if (signal.aborted) return false;
	const fresh = page?.querySelector("[data-study]");
	const problem = fresh ? fresh.querySelector("[data-problem]").textContent : "The arena cannot be reached.";
	tell(part("problem"), problem);
	if (problem) return false;
	({ position, rules } = fresh.dataset);
	fields.position.value = fresh.querySelector("#position").value;
	swap(page, "#slides", "#score", "#moves");
	explore();
	if (search) ask();
	return true;
}

// set shows the position of the form, from which a new line begins.
async function set() {
	search?.abort();
	const address = `/analysis?${new URLSearchParams({ position: fields.position.value.trim(), rules: fields.rules.value })}`;
	if (!await load(address)) return;
	edit(false);
	at = shown = 0;
	line = [{ address: `/analysis?${asked()}` }];
	history.pushState(null, "", line[0].address);
	showLine();
}

// asked names the position and more in an address.
const asked = (more) => new URLSearchParams({ position, rules, ...more });

// explore counts what was played in the position.
async function explore() {
	exploring?.abort();
	const { signal } = exploring = new AbortController(), filter = new URLSearchParams(new FormData(part("filter")));
	filter.set("position", position);
	filter.set("rules", rules);
	const say = (text) => { if (!signal.aborted) root.querySelector("[data-counting], [data-counted]").textContent = text; };
	try {
		await listen(`/api/explorer/progress?${filter}`, {
			progress: ({ done, total }) => say(total ? `Counted ${number(done)} of ${number(total)} games …` : "Others are being counted first …"),
			problem: say,
		}, signal);
		swap(await made(`/analysis?${filter}`, signal), "#explorer");
	} catch (error) {
		say(error.message);
	}
}

// ask lets a bot search the position, and goes on in the positions that are shown after it.
async function ask() {
	search?.abort();
	const own = search = new AbortController(), report = part("report");
	const say = (state, toggle = "Stop") => fill(part, { state, toggle });
	report.hidden = true;
	report.dataset.from = at;
	say("Searching …");
	let end = "The connection to the arena is lost.";
	try {
		await listen(`/parts/opinion?${asked({ bot: part("ask").elements.bot.value })}`, {
			opinion: ({ says, html }) => {
				end = says;
				say(`${says} …`);
				report.hidden = !html;
				report.replaceChildren(...parse(html).body.children);
			},
			problem: (text) => { end = text; },
			done: () => { end += ". It has finished."; },
		}, own.signal);
	} catch (error) {
		end = own.signal.aborted ? "Stopped." : error.message;
	}
	if (search !== own) return; // another one has begun
	search = null;
	say(end, "Ask");
}

// edit lets the tiles be set by hand, or ends that.
function edit(on) {
	tiles = on ? read(position).tiles : null;
	part("edit").ariaPressed = String(on);
	part("editor").hidden = !on;
	root.classList.toggle("editing", on);
	if (!on) return;
	search?.abort();
	root.querySelectorAll(".puts").forEach((e) => e.remove());
	showEdited();
}

// showEdited shows the tiles that were set, and writes the position into the form.
function showEdited() {
	new Board(part("board")).show({ tiles, side: "attacker", score: 0 });
	for (const cell of root.querySelectorAll(".cell")) cell.tabIndex = 0;
	fields.position.value = `${tiles.map((row) => row.join()).join("/")} ${part("side").value} ${part("score").value}`.trim();
}

// put puts the chosen tile on a cell.
function put(cell) {
	const [x, y] = Board.at(cell), chosen = part("tile").value, old = tiles[y][x];
	tiles[y][x] = chosen === "next" ? (old === 65536 ? 0 : old * 2 || 2) : Number(chosen);
	showEdited();
}

// resize makes a board of the chosen size with the tiles of another one.
function resize(old) {
	tiles = emptyBoard(part("size").value).tiles.map((row, y) => row.map((_, x) => old[y]?.[x] ?? 0));
	showEdited();
}

onLinks(root, "[data-play]", (link) => {
	const moves = [...link.closest("[data-variation]")?.children ?? [link]];
	playOn(Number(link.closest("[data-from]")?.dataset.from ?? at), ...moves.slice(0, moves.indexOf(link) + 1));
});
root.addEventListener("click", ({ target }) => {
	const cell = target.closest(".cell");
	if (tiles && cell) put(cell);
});
root.addEventListener("submit", (event) => {
	event.preventDefault();
	if (event.target === part("setup")) set();
	else if (event.target === part("filter")) explore();
	else if (search) search.abort();
	else ask();
});
part("edit").onclick = () => edit(!tiles);
part("side").oninput = part("score").oninput = showEdited;
part("size").onchange = () => resize(tiles);
part("clear").onclick = () => resize([]);
for (const hidden of ["steps", "edit", "opinion"]) part(hidden).hidden = false;
addEventListener("pagehide", () => search?.abort());
addEventListener("popstate", () => location.reload());

stepping(root, () => at, () => line.length - 1, go);
for (const [key, move] of Object.entries(slideKeys)) onKeys({ [key]: () => root.querySelector(`#slides [data-play="${move}"]`)?.click() });
const enter = ({ target }) => (tiles && target.matches(".cell") ? put(target) : false);
onKeys({ " ": enter, Enter: enter, e: () => document.getElementById("explorer").focus(), x: () => part("exact").focus() });
if (!part("problem").textContent) explore();
root.ready = true;
