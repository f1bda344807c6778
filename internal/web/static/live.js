// Streams of server-sent events, which reconnect.

import { barred, call, say } from "./page.js";

// listen reads a stream until it ends. It calls on[type] with the data of each event, and alive at the start and with
// each event's id. Unlike an EventSource it throws refusals.
export async function listen(url, on, signal, alive = () => {}) {
	const { body } = await call(url, null, signal);
	alive();
	const reader = body.pipeThrough(new TextDecoderStream()).getReader();
	for (let text = ""; ;) {
		const { done, value } = await reader.read();
		if (done) return;
		const events = (text + value).split("\n\n");
		text = events.pop();
		for (const event of events) {
			const field = (name) => new RegExp(`^${name}: (.*)$`, "m").exec(event)?.[1];
			alive(field("id"));
			on[field("event")]?.(JSON.parse(field("data")));
		}
	}
}

const silence = 25000; // milliseconds: the server sends an event every ten seconds

// follow reads a stream until its event end, a call of close, or the page is barred. It reconnects with the last id.
export function follow(url, on) {
	let attempt, retry, last, heard, wait = 500, closed = false;
	const alive = (id) => {
		last = id || last;
		heard = Date.now();
		if (wait > 500) say();
		wait = 500;
	};
	const open = async () => {
		attempt = new AbortController();
		const address = new URL(url, location.href);
		if (last) address.searchParams.set("seen", last);
		heard = Date.now();
		const error = await listen(address, { end: close, ...on }, attempt.signal, alive).catch((error) => error) ?? {};
		if (closed) return;
		if (barred(error)) return close();
		console.warn(error);
		say(error.status ? error.message : "The arena cannot be reached. This page goes on when it is back.");
		retry = setTimeout(open, wait);
		wait = Math.min(2 * wait, 5000);
	};
	const cut = () => attempt.abort();
	const watchdog = setInterval(() => { if (Date.now() - heard > silence) cut(); }, 2000);
	const close = () => {
		closed = true;
		clearTimeout(retry);
		clearInterval(watchdog);
		cut();
	};
	open();
	addEventListener("offline", cut);
	addEventListener("pagehide", close, { once: true });
	addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
	return { close };
}
