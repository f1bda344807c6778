// What all pages need: finding and making elements, asking the arena, copying, local times.

import { localise } from "./moment.js";

// parts returns a function that finds the element [data-NAME] in root.
export const parts = (root) => (name) => root.querySelector(`[data-${name}]`);

// make returns an element with properties and children, which are elements or texts.
export function make(kind, properties = {}, ...children) {
	const made = Object.assign(document.createElement(kind), properties);
	made.append(...children);
	return made;
}

// number cells are aligned to the right.
export const cell = (...content) => make("td", {}, ...content);
export const numberCell = (...content) => make("td", { className: "n" }, ...content);

// button returns a button in a line of text.
export const button = (text, onclick, properties = {}) => make("button", { type: "button", onclick, ...properties }, text);

// ask returns the arena's answer in JSON; value is sent to it, if given. It throws the arena's words.
export async function ask(path, value) {
	const answer = await fetch(path, value && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(value) });
	const body = await answer.json().catch(() => ({ error: `The arena answered ${answer.status}.` }));
	if (!answer.ok) throw Object.assign(new Error(body.error), { status: answer.status });
	return body;
}

// made returns the page that the server makes at an address.
export async function made(address, signal) {
	const answer = await fetch(address, { signal, headers: { Accept: "text/html" } });
	return new DOMParser().parseFromString(await answer.text(), "text/html");
}

// renew replaces parts of this page, found by a selector, by what the server now makes. Where somebody
// is at work nothing changes.
export async function renew(selector) {
	const page = await made(location.href).catch(() => null);
	for (const old of document.querySelectorAll(selector)) {
		const fresh = page?.getElementById(old.id);
		if (!fresh || old.contains(document.activeElement)) continue;
		old.replaceWith(fresh);
		enliven(fresh);
	}
}

// enliven makes the times and the copy buttons of what the server made work.
export function enliven(root) {
	localise(root);
	for (const copier of root.querySelectorAll("[data-copy]")) {
		copier.hidden = false;
		copier.onclick = () => copy(copier, copier.parentElement.querySelector("[data-copied]"));
	}
}

// copy copies an element's text. Without TLS browsers have no clipboard: then the text is selected.
async function copy(copier, source) {
	const label = copier.textContent;
	if (source.select) source.select();
	else getSelection().selectAllChildren(source);
	try {
		await navigator.clipboard.writeText(source.value ?? source.textContent);
		copier.textContent = "Copied";
	} catch {
		copier.textContent = document.execCommand("copy") ? "Copied" : "Selected";
	}
	setTimeout(() => { copier.textContent = label; }, 1500);
}
