// The pages of a site without an arena: a program in a worker answers as an arena would.

import { parse, say, swap } from "./page.js";

const { dataset: { modules } } = document.querySelector("[data-modules]"), root = new URL("../../", import.meta.url);
let worker;

const ask = (request) => new Promise((resolve) => {
	worker ??= Object.assign(new Worker(new URL("siteworker.js", import.meta.url), { type: "module" }), { onerror: () => say("This page needs a browser with WebAssembly.") });
	const { port1, port2 } = new MessageChannel();
	port1.onmessage = ({ data }) => resolve(data);
	worker.postMessage(request, [port2]);
});

globalThis.site = {
	async fetch(address, { body = "", signal } = {}) {
		const { pathname, search } = new URL(address, location.href), page = pathname.replace(root.pathname, "/").replace(".html", "");
		const answer = await ask({ path: page, query: search.slice(1), body });
		signal?.throwIfAborted();
		if (answer.address) history.replaceState(null, "", answer.address);
		return new Response(answer.body, { status: answer.status });
	},
};

// show shows the page that the program makes, and returns its modules.
async function show(body) {
	const page = parse(await (await site.fetch(location.href, { body })).text());
	swap(page, "main");
	document.title = page.title;
	return page.querySelector("[data-modules]").dataset.modules;
}

// open opens a record, or a table of exact values, which stays for later pages.
async function open(file) {
	if (file.name.endsWith(".table")) {
		const { error } = await ask({ table: await file.arrayBuffer() });
		return error ? say(error) : location.reload();
	}
	sessionStorage.setItem("record", await file.text());
	location.assign(new URL("replay.html", root));
}
addEventListener("change", ({ target: { dataset, files } }) => { if ("open" in dataset) open(files[0]); });
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
	const [file] = event.dataTransfer.files;
	event.preventDefault();
	if (file) open(file);
});

const [page] = /\w*$/.exec(location.pathname.replace(".html", "")), record = page === "replay" && sessionStorage.getItem("record");
const stale = page === "analysis" && location.search || page === "puzzles" || record; // the page in the file is not the wanted one
const wanted = stale ? await show(record || "") : modules;
for (const name of wanted.split(" ")) import(`./${name}`);
navigator.serviceWorker?.register(new URL("offline.js", root));
