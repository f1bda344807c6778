// Programs of Go, and other files that were compressed by gzip: servers of files send them as they are.

import "./vendor/wasm_exec.js";

// file fetches a file, by its address seen from here.
export async function file(name) {
	const answer = await fetch(new URL(`${name}.gz`, import.meta.url)), type = answer.ok && "application/wasm";
	return new Response(answer.body.pipeThrough(new DecompressionStream("gzip")), { status: answer.status, headers: { "Content-Type": type } });
}

// start starts the program of the site, which is the champion and makes pages, and returns when it waits for questions.
export async function start() {
	const go = new Go(), { instance } = await WebAssembly.instantiateStreaming(file("program.wasm"), go.importObject);
	go.run(instance);
}
