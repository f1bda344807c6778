// The worker of site.js. A message is a request {path, query, body}, or {table} with the bytes of a table.

import { file } from "./file.js";
import { start } from "./start.js";

const started = start("champion.wasm");
const kept = globalThis.caches?.open("tables"); // tables that the visitor has opened; only sites with TLS can keep them

async function load(name, own) {
	const table = await (await kept)?.match(name) ?? (own && await file(`../../tables/${name}`));
	if (table) pages.load(new Uint8Array(await table.arrayBuffer()));
}

async function keep(table) {
	const name = pages.load(new Uint8Array(table));
	if (!name.error) await (await kept)?.put(name, new Response(table));
	return name;
}

onmessage = async ({ data: { path, query, body, table }, ports: [port] }) => {
	await started;
	if (table) return port.postMessage(await keep(table));
	const needed = pages.needs(path, query, body);
	if (needed.table) await load(needed.table, needed.own);
	pages.answer(path, query, body, (answer) => port.postMessage(answer));
};
