// Programs of Go.

import "./vendor/wasm_exec.js";

// file fetches a file, by its address seen from here.
export const file = (name) => fetch(new URL(name, import.meta.url));

// start starts a program, and returns when it waits for questions.
export async function start(name) {
	const go = new Go(), { instance } = await WebAssembly.instantiateStreaming(file(name), go.importObject);
	go.run(instance);
}
