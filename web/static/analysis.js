// The page of a position: moves are played on the board, and everything beside it follows. What the
// page says about a position is made by the server: this module puts it in place.

import { Board } from "./board.js";
import { onKeys, ours, slideKeys, stepping } from "./keys.js";
import { listen } from "./live.js";
import { number } from "./moment.js";
import { button, made, parts } from "./page.js";
import { effort, searchRows } from "./report.js";
import { legal, play, read, write } from "./rules.js";

const root = document.querySelector("[data-study]");
const part = parts(root);
const fields = part("setup").elements;
let { rules } = root.dataset;
let line = [{ text: root.dataset.position, address: location.href }]; // the positions by moves played here
let at = 0;
let tiles = null; // while they are set by hand
let loading, exploring, search; // what is on its way, to be aborted

const query = (text = line[at].text) => `position=${text.replaceAll(" ", "+")}&rules=${rules}`;
const addressOf = (text) => `/analysis?${query(text)}`;

// go shows a position of the line.
async function go(to) {
	to = Math.max(0, Math.min(to, line.length - 1));
	if (to === at || tiles) return;
	const before = read(line[at].text), forward = to === at + 1;
	at = to;
	const { text, move, address } = line[at], position = read(text);
	history.replaceState(null, "", address);
	showLine();
	part("announcer").textContent = `${move ?? "start"}: score ${position.score}, the ${position.side} to move`;
	if (await load(address) && forward) new Board(part("board")).animate(before.tiles, move);
}

// playOn plays moves after a position of the line.
function playOn(from, ...moves) {
	let position = read(line[from].text), ply = Number(line[from].text.split(" ")[3]);
	if (tiles || !legal(position, rules !== "gpcc2015").includes(moves[0])) return;
	const steps = moves.map((move) => {
		position = play(position, move);
		const text = write(position, ++ply);
		return { text, move, address: addressOf(text) };
	});
	line.splice(from + 1, Infinity, ...steps);
	at = Math.min(at, from);
	go(from + moves.length);
}

// showLine shows the moves that were played, each a button that leads back to it.
function showLine() {
	part("line").replaceChildren(...line.slice(1).map(({ move }, i) => button(move, () => go(i + 1), { ariaCurrent: i + 1 === at ? "true" : null })));
}

// load puts what the server says about the position at an address in place, and returns it; or
// nothing if the position is impossible, or another one was asked for meanwhile.
async function load(address) {
	loading?.abort();
	const { signal } = loading = new AbortController();
	const page = await made(address, signal).catch(() => null);
	if (signal.aborted) return;
	const fresh = page?.querySelector("[data-study]");
	const problem = fresh ? fresh.querySelector("[data-problem]").textContent : "The arena cannot be reached.";
	part("problem").textContent = problem;
	part("problem").hidden = !problem;
	if (problem) return;
	const focused = document.activeElement.dataset.play;
	swap(page, "slides", "score", "moves");
	fields.position.value = fresh.querySelector("#position").value;
	if (focused) root.querySelector(`[data-play="${focused}"]`)?.focus();
	explore();
	if (search) ask();
	return fresh;
}

function swap(page, ...ids) {
	for (const id of ids) document.getElementById(id).replaceWith(page.getElementById(id));
}

// set shows the position of the form, from which a new line begins.
async function set() {
	search?.abort();
	const fresh = await load(`/analysis?position=${encodeURIComponent(fields.position.value.trim())}&rules=${fields.rules.value}`);
	if (!fresh) return;
	edit(false);
	rules = fresh.dataset.rules;
	at = 0;
	line = [{ text: fresh.dataset.position }];
	line[0].address = addressOf(line[0].text);
	history.pushState(null, "", line[0].address);
	showLine();
	explore();
}

// explore counts what was played in the position.
async function explore() {
	exploring?.abort();
	const { signal } = exploring = new AbortController();
	const filter = new FormData(part("filter")), asked = new URLSearchParams({ bot: filter.get("bot"), event: filter.get("event") });
	const say = (text) => { if (!signal.aborted) root.querySelectorAll("[data-counting], [data-counted]").forEach((p) => { p.textContent = text; }); };
	try {
		await listen(`/api/explorer/progress?${query()}&${asked}`, {
			progress: ({ done, total }) => say(total ? `Counted ${number(done)} of ${number(total)} games …` : "Others are being counted first …"),
			problem: say,
		}, signal);
		const page = await made(`/analysis?${query()}&${asked}&explorer=1`, signal);
		const focused = document.activeElement.closest("#explorer") && document.activeElement.name;
		swap(page, "explorer");
		if (focused) part("filter").elements[focused]?.focus();
	} catch (error) {
		say(error.message);
	}
}

// ask lets a bot search the position, and goes on in the positions that are shown after it.
async function ask() {
	search?.abort();
	const own = search = new AbortController();
	const from = at, say = (text) => { part("state").textContent = text; };
	part("toggle").textContent = "Stop";
	part("report").hidden = true;
	say("Searching …");
	let end = "The connection to the arena is lost.";
	try {
		await listen(`/api/analysis/live?${query()}&bot=${encodeURIComponent(part("ask").elements.bot.value)}`, {
			opinion: (o) => {
				end = `Chooses ${o.move}. ${effort(o.search) || "It does not search here"}`;
				say(`${end} …`);
				showReport(o, from);
			},
			problem: (text) => { end = text; },
			done: () => { end += ". It has finished."; },
		}, own.signal);
	} catch (error) {
		end = own.signal.aborted ? "Stopped." : error.message;
	}
	if (search !== own) return; // another one has begun
	search = null;
	say(end);
	part("toggle").textContent = "Ask";
}

function showReport({ move, search: report }, from) {
	part("report").hidden = !report;
	if (!report) return;
	const variation = report.pv ?? [move];
	part("variation").replaceChildren(...variation.map((m, i) => button(m, () => playOn(from, ...variation.slice(0, i + 1)))));
	part("values").replaceChildren(...searchRows(report.moves ?? [], { pick: (m) => playOn(from, m) }));
}

// edit lets the tiles be set by hand, or ends that.
function edit(on) {
	tiles = on ? read(line[at].text).tiles : null;
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

function resize(size) {
	const [width, height] = size.split("x").map(Number), count = (n) => [...Array(n).keys()];
	tiles = count(height).map((y) => count(width).map((x) => tiles[y]?.[x] ?? 0));
	showEdited();
}

root.addEventListener("click", (event) => {
	const cell = event.target.closest(".cell"), move = event.target.closest("[data-play]")?.dataset.play;
	if (tiles && cell) put(cell);
	if (!move || !ours(event)) return;
	event.preventDefault();
	playOn(at, move);
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
part("size").onchange = (event) => resize(event.target.value);
part("clear").onclick = () => { tiles.forEach((row) => row.fill(0)); showEdited(); };
for (const hidden of ["steps", "edit", "opinion"]) part(hidden).hidden = false;
addEventListener("pagehide", () => search?.abort());
addEventListener("popstate", () => location.reload());

stepping(root, () => at, () => line.length - 1, go);
for (const [key, move] of Object.entries(slideKeys)) onKeys({ [key]: () => playOn(at, move) });
const enter = (event) => (tiles && event.target.matches(".cell") ? put(event.target) : false);
onKeys({ " ": enter, Enter: enter, e: () => part("filter").closest("section").focus(), x: () => part("exact").focus() });
if (!part("problem").textContent) explore();
root.ready = true;
