export const number = (n) => String(n).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");

// parts returns a function that finds the element [data-NAME] in root.
export const parts = (root) => (name) => root.querySelector(`[data-${name}]`);

export function fill(part, texts) { for (const name in texts) part(name).textContent = texts[name]; }

// tell shows a text in an element, or hides the element if the text is empty.
export const tell = (element, text = "") => Object.assign(element, { textContent: text, hidden: !text });

export function make(kind, properties, ...children) {
	const made = Object.assign(document.createElement(kind), properties);
	made.append(...children);
	return made;
}

// send is fetch, or the answer of a site without an arena.
const send = (...asked) => (globalThis.site ?? globalThis).fetch(...asked);

// call sends a request, with a value if given. It throws the arena's text if refused.
export async function call(path, value, signal) {
	const sent = value && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(value) };
	const answer = await send(path, { ...sent, signal });
	if (answer.ok) return answer;
	const { error = `The arena answered ${answer.status}.` } = await answer.json().catch(() => ({}));
	throw new Error(error);
}

export const parse = (html) => new DOMParser().parseFromString(html, "text/html");

// ask returns an answer in JSON, and piece a part of a page.
export const ask = async (path, value) => (await call(path, value)).json();
export const piece = async (path, value) => parse(await (await call(path, value)).text());

// made returns the page at an address, perhaps about an error.
export const made = async (address, signal) => parse(await (await send(address, { signal })).text());

// twin finds an old part's move, field, link, region or button in a fresh part.
const twin = (fresh, { localName, href, ariaLabel, name, form, dataset: { play } }) => [...fresh.querySelectorAll(localName)].find((element) => (
	play ? element.dataset.play === play : href ? element.href === href :
		element.ariaLabel === ariaLabel && element.name === name && element.form?.action === form?.action));

// put replaces an old part by a fresh one. It keeps regions scrolled, and keeps the focus or gives it to spare.
export function put(old, fresh, spare) {
	const at = document.activeElement, stay = old.contains(at);
	const scrolled = [...old.querySelectorAll("[role=region]")].map((region) => [twin(fresh, region), region.scrollLeft]);
	old.replaceWith(fresh);
	enliven(fresh);
	for (const [region, left] of scrolled) region?.scroll({ left });
	const next = stay && (twin(fresh, at) ?? spare);
	if (next && at.matches("input, select, textarea")) next.value = at.value;
	next?.focus?.({ preventScroll: true });
}

// swap replaces parts of this page by parts of a fresh one. It throws an error if one is missing.
export function swap(fresh, ...selectors) {
	for (const selector of selectors) {
		const next = fresh.querySelector(selector);
		if (!next) throw new Error("The arena cannot show this now. Try again.");
		put(document.querySelector(selector), next);
	}
}

// renewing returns a function that soon replaces parts of this page that have changed, less often if that takes long. A
// part stays old while the user is in one of its fields, or the arena is away.
export function renewing(selector) {
	let waiting, again, pause = 0;
	const renew = () => {
		again = true; // also during a renewal: its answer may be old
		waiting ??= setTimeout(async () => {
			const begun = performance.now();
			again = false;
			const page = await piece(location.href).catch(() => { again = true; });
			for (const old of document.querySelectorAll(selector)) {
				const fresh = page?.getElementById(old.id);
				if (!fresh || fresh.isEqualNode(old)) continue;
				if (old.querySelector(":is(input, select, textarea):focus")) again = true;
				else put(old, fresh);
			}
			pause = Math.max(1500, 10 * (performance.now() - begun));
			waiting = null;
			if (again) renew();
		}, pause);
	};
	return renew;
}

// localise writes the times of a page in the reader's own time zone.
function localise(root = document) {
	for (const time of root.querySelectorAll("time[datetime]")) {
		const at = new Date(time.dateTime);
		time.title = time.textContent;
		time.textContent = at.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
	}
}

// enliven makes times local and copy buttons work.
export function enliven(root) {
	localise(root);
	for (const copier of root.querySelectorAll("[data-copy]")) {
		copier.onclick = () => copy(copier, copier.parentElement.querySelector("[data-copied]"));
	}
}

// copy copies an element's text, or selects it: without TLS there is no clipboard.
async function copy(copier, source) {
	if (source.select) source.select();
	else getSelection().selectAllChildren(source);
	const copied = await navigator.clipboard?.writeText(source.value ?? source.textContent).then(() => true, () => false) || document.execCommand("copy");
	copier.textContent = copied ? "Copied" : "Selected";
	setTimeout(() => { copier.textContent = "Copy"; }, 1500);
}
