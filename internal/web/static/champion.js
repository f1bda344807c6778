// The champion in a worker of this browser, which starts with the first question.

let worker;
const asking = []; // the questions that the worker has

const answered = ({ data: { opinion, error } }) => {
	const { resolve, reject } = asking.shift();
	if (error) reject(new Error(error));
	else resolve(opinion);
};

// broken gives up a worker that cannot run.
const broken = ({ message }) => {
	worker = worker.terminate();
	for (const { reject } of asking.splice(0)) reject(new Error(message || "The champion cannot run."));
};

// ask returns the champion's opinion, as in docs/API.md: asked has rules, position, ms or nodes, and best for several
// moves. For a record, the text of a game, it returns the costliest moves. A question ends the search before it. ask
// throws an error where the champion cannot run.
export function ask(asked, signal) {
	return new Promise((resolve, reject) => {
		signal?.throwIfAborted();
		worker ??= Object.assign(new Worker(new URL("championworker.js", import.meta.url), { type: "module" }), { onmessage: answered, onerror: broken });
		asking.push({ resolve, reject });
		worker.postMessage(asked);
		signal?.addEventListener("abort", () => {
			worker?.postMessage(null);
			reject(signal.reason);
		});
	});
}

// deepen asks with more and more time, in all total milliseconds, and yields each opinion.
export async function* deepen(asked, total, signal) {
	for (let ms = 50, end = performance.now() + total; ms > 0; ms = Math.min(2 * ms, Math.round(end - performance.now()))) {
		const opinion = await ask({ ...asked, ms }, signal);
		yield opinion;
		if (!opinion.search) return; // the only move
	}
}
