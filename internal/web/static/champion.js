// The champion in a worker of this browser, which starts with the first question.

let worker;
const asking = []; // the questions that the worker has

const answered = ({ data: { opinion, error } }) => {
	const { resolve, reject } = asking.shift();
	if (error) reject(new Error(error));
	else resolve(opinion);
};

const broken = ({ message }) => {
	worker = worker.terminate();
	for (const { reject } of asking.splice(0)) reject(new Error(message || "The champion cannot run."));
};

// ask returns the champion's opinion: see inbrowser.Asked; for a record, a game's costliest moves. A question ends the
// search before it.
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
