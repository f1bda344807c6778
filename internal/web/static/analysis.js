// The page of a position. Moves lead to new positions.

import { Board } from "./board.js";
import { ask as think } from "./champion.js";
import { onKeys, onLinks, slideKeys, stepping } from "./keys.js";
import { listen } from "./live.js";
import { ask as answer, fill, number, parse, parts, piece, swap, tell } from "./page.js";
import { read } from "./rules.js";

const root = document.querySelector("[data-study]"), part = parts(root);
const here = root.dataset; // of the position on the page, with its number in the tree of moves
let { at } = here; // the number of the chosen position
let loading, exploring, search; // abort requests

// to returns a position's address: at=NUMBER in the tree, or play=MOVES from here.
function to(name, value) {
	const url = new URL(here.address, location);
	url.searchParams.set(name, value);
	return url.href;
}

// go shows the position at an address, with the server's parts, and notes it in the history.
async function go(address, note) {
	loading?.abort();
	const { signal } = loading = new AbortController();
	const page = await piece(address, null, signal).catch((error) => error), fresh = page.querySelector?.("[data-study]");
	if (signal.aborted) return; // go was called again
	loading = null;
	const problem = fresh ? fresh.querySelector("[data-problem]").textContent : page.message;
	tell(part("problem"), problem);
	const before = here.position, along = part("line").contains(document.activeElement);
	if (!problem) Object.assign(here, fresh.dataset);
	({ at } = here);
	if (problem) return;
	const { move = "start" } = fresh.dataset;
	if (note) history[note](null, "", here.address);
	part("copied").value = fresh.querySelector("[data-copied]").value;
	swap(page, "#slides", "#score", "#moves");
	part("line").replaceChildren(...fresh.querySelector("[data-line]").childNodes);
	if (along) root.querySelector("[data-line] [aria-current]")?.focus();
	fill(part, { announcer: `${move}: ${part("board").ariaLabel}` });
	if (fresh.dataset.before === before) new Board(part("board")).animate(read(before).tiles, move);
	explore();
	if (search) ask();
	else fill(part, { report: "", state: "" }); // the last answer was about another position
}

const asked = (more) => new URLSearchParams({ ...more, position: here.position, rules: here.rules });

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
		swap(await piece(`/analysis?${filter}`, null, signal), "#explorer");
	} catch (error) {
		say(error.message);
	}
}

const point = (move) => new Board(part("board")).point(move);

// champion searches here, longer and longer, and reports whether it can.
async function champion(on, signal) {
	const { position, rules } = here, at = { position, rules }, end = performance.now() + 20000;
	try {
		for (let ms = 50; ms > 0; ms = Math.min(2 * ms, Math.round(end - performance.now()))) {
			const opinion = await think({ ...at, ms }, signal);
			on.opinion(await answer("/parts/opinion", { ...at, opinion }, signal));
			if (!opinion.search) break; // the only move
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
			const fresh = parse(html);
			end = says;
			say(`${says} …`);
			if (fresh.querySelector("[data-advantage]")) swap(fresh, "[data-advantage]");
			report.replaceChildren(...fresh.body.children);
			point(report.querySelector("[data-search-moves] [data-play], [data-variation] [data-play]")?.dataset.play);
		},
		problem: (text) => { end = text; },
		done: () => { end += ". It has finished."; },
	};
	const { value: bot } = part("ask").elements.bot;
	try {
		if (bot !== "champion" || !await champion(on, signal)) await listen(`/parts/opinion?${asked({ bot })}`, on, signal);
	} catch (error) {
		end = signal.aborted ? "Stopped." : error.message;
	}
	if (search?.signal !== signal) return; // another search has begun
	search = null;
	say(end, "Ask");
}

onLinks(root, "[data-play]", (link) => {
	// During a count the explorer shows the old position's moves.
	if (loading || link.closest("#explorer") && part("filter").elements.position.value !== here.position) return;
	const links = [...link.closest("[data-variation]")?.children ?? [link]];
	go(to("play", links.slice(0, links.indexOf(link) + 1).map(({ dataset }) => dataset.play).join(" ")), "pushState");
});
root.addEventListener("submit", (event) => {
	const form = event.target;
	if (form === part("setup")) return;
	event.preventDefault();
	if (form === part("line")) go(to("at", event.submitter.value), "pushState");
	else if (form === part("filter")) explore();
	else if (search) search.abort();
	else ask();
});
addEventListener("popstate", () => go(location.href));
addEventListener("pagehide", () => search?.abort());

const path = () => here.path.split(" "); // the numbers of the line through the position
stepping(root, () => path().indexOf(at), () => path().length - 1, (i) => {
	const next = path()[Math.max(0, Math.min(i, path().length - 1))];
	if (next === at) return;
	at = next;
	go(to("at", at), "replaceState");
});
for (const [key, move] of Object.entries(slideKeys)) onKeys({ [key]: () => root.querySelector(`#slides [data-play="${move}"]`)?.click() });
onKeys({ e: () => document.getElementById("explorer")?.focus(), x: () => part("exact").focus() });
if (!part("problem").textContent) explore();
root.ready = true;
