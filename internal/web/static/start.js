import { file } from "./file.js";
import "./vendor/wasm_exec.js";

// start starts a program, and returns when it waits for questions.
export async function start(name) {
	const go = new Go(), { instance } = await WebAssembly.instantiateStreaming(file(name), go.importObject);
	go.run(instance);
}
