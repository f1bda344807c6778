// The worker of champion.js. A message is a question, or null to end the search.

import { file } from "./file.js";
import { start } from "./start.js";

const started = start("champion.wasm");

function checked(result) {
	if (result?.error) throw new Error(result.error);
	return result;
}

const loading = {}; // networks, by their names

// If a network cannot be loaded, the champion says so.
const load = (name) => loading[name] ??= file(`../networks/${name}`)
	.then(async (answer) => champion.load(new Uint8Array(await answer.arrayBuffer()))).catch(() => {}).finally(() => { delete loading[name]; });

async function answer(asked, late) {
	await started;
	const { record } = asked, question = record ?? JSON.stringify(asked), needed = !record && checked(champion.needs(question));
	const network = needed.file && load(needed.file);
	if (needed.search) await network;
	if (late()) throw new Error("Another question came.");
	return JSON.parse(checked(await new Promise((done) => { champion[record ? "judge" : "ask"](question, done); })));
}

let turn = Promise.resolve(), newest = 0;

onmessage = ({ data }) => {
	const mine = ++newest, late = () => mine !== newest;
	globalThis.champion?.stop();
	if (data) turn = turn.then(() => answer(data, late)).then((opinion) => ({ opinion }), ({ message: error }) => ({ error })).then(postMessage);
};
