// The page of a position. Moves lead to new positions.

import { Board } from "./board.js";
import { deepen } from "./champion.js";
import { onKeys, onLinks, slideKeys, stepping } from "./keys.js";
import { listen } from "./live.js";
import { number } from "./moment.js";
import { call, fill, made, make, parse, parts, swap, tell } from "./page.js";
import { read } from "./rules.js";

const root = document.querySelector("[data-study]");
const part = parts(root);
let { position, rules } = root.dataset; // the position on the page
const line = [{ address: location.href }]; // the positions by moves played here
let at = 0, shown = 0; // indices in line: chosen, and on the page
let loading, exploring, search; // abort requests

// go shows a position of the line, with the server's parts.
async function go(to) {
	to = Math.max(0, Math.min(to, line.length - 1));
	if (to === at) return;
	const before = read(position).tiles, forward = shown === at && to === at + 1;
	at = to;
	const { move, address } = line[at];
	showLine();
	loading?.abort();
	const { signal } = loading = new AbortController();
	const page = await made(address, signal).catch(() => null), fresh = page?.querySelector("[data-study]");
	if (signal.aborted) return; // go was called again
	tell(part("problem"), fresh ? "" : "The arena cannot be reached.");
	if (!fresh) {
		at = shown;
		return showLine();
	}
	shown = to;
	history.replaceState(null, "", address);
	({ position, rules } = fresh.dataset);
	part("copied").value = fresh.querySelector("[data-copied]").value;
	swap(page, "#slides", "#score", "#moves");
	part("announcer").textContent = `${move ?? "start"}: ${part("board").ariaLabel}`;
	if (forward) new Board(part("board")).animate(before, move);
	explore();
	if (search) ask();
	else fill(part, { report: "", state: "" }); // the last answer was about another position
}

// showLine shows the played moves as buttons that go back to them.
function showLine() {
	const back = ({ move }, i) => make("button", { type: "button", onclick: () => go(i), ariaCurrent: i === at ? "true" : null }, move);
	part("line").replaceChildren(...line.map(back).slice(1));
}

// asked returns parameters: the position, and more.
const asked = (more) => new URLSearchParams({ ...more, position, rules });

async function explore() {
	if (!part("filter")) return;
	exploring?.abort();
	const { signal } = exploring = new AbortController(), filter = asked(Object.fromEntries(new FormData(part("filter"))));
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

// point marks the move that a bot has found on the board, or none.
function point(move) {
	for (const link of root.querySelectorAll("#slides [data-play]")) link.classList.toggle("found", link.dataset.play === move);
}

// here lets the champion search in this browser, and reports whether it can.
async function here(on, signal) {
	const at = { position, rules };
	try {
		for await (const opinion of deepen(at, 20000, signal)) {
			on.opinion(await (await call("/parts/opinion", { ...at, opinion }, signal)).json());
		}
		on.done();
		return true;
	} catch (error) {
		if (signal.aborted) throw error;
		console.warn(error);
		return false;
	}
}

// ask lets a bot search this position and later ones.
async function ask() {
	search?.abort();
	const { signal } = search = new AbortController(), report = part("report");
	const say = (state, toggle = "Stop") => fill(part, { state, toggle });
	report.replaceChildren();
	point();
	say("Searching …");
	let end = "The connection to the arena is lost.";
	const on = {
		opinion: ({ says, html }) => {
			end = says;
			say(`${says} …`);
			report.replaceChildren(...parse(html).body.children);
			point(report.querySelector("[data-search-moves] [data-play], [data-variation] [data-play]")?.dataset.play);
		},
		problem: (text) => { end = text; },
		done: () => { end += ". It has finished."; },
	};
	const { value: bot } = part("ask").elements.bot;
	try {
		if (bot !== "champion" || !await here(on, signal)) await listen(`/parts/opinion?${asked({ bot })}`, on, signal);
	} catch (error) {
		end = signal.aborted ? "Stopped." : error.message;
	}
	if (search?.signal !== signal) return; // another search has begun
	search = null;
	say(end, "Ask");
}

onLinks(root, "[data-play]", (link) => {
	// During a count the explorer still shows the moves of the old position.
	if (link.closest("#explorer") && part("filter").elements.position.value !== position) return;
	if (shown !== at) return;
	const links = [...link.closest("[data-variation]")?.children ?? [link]];
	line.splice(at + 1, Infinity, ...links.slice(0, links.indexOf(link) + 1).map(({ dataset, href }) => ({ move: dataset.play, address: href })));
	go(line.length - 1);
});
root.addEventListener("submit", (event) => {
	const form = event.target;
	if (form === part("setup")) return;
	event.preventDefault();
	if (form === part("filter")) explore();
	else if (search) search.abort();
	else ask();
});
addEventListener("pagehide", () => search?.abort());

stepping(root, () => at, () => line.length - 1, go);
for (const [key, move] of Object.entries(slideKeys)) onKeys({ [key]: () => root.querySelector(`#slides [data-play="${move}"]`)?.click() });
onKeys({ e: () => document.getElementById("explorer")?.focus(), x: () => part("exact").focus() });
if (!part("problem").textContent) explore();
root.ready = true;
