export const number = (n) => String(n).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");

// parts returns a function that finds the element [data-NAME] in root.
export const parts = (root) => (name) => root.querySelector(`[data-${name}]`);

export function fill(part, texts) { for (const name in texts) part(name).textContent = texts[name]; }

// tell shows a text in an element, or hides the element if the text is empty.
export const tell = (element, text = "") => Object.assign(element, { textContent: text, hidden: !text });

// say shows a sentence at the top of the page, or removes it.
export const say = (text) => tell(document.getElementById("notice"), text);

export function make(kind, properties, ...children) {
	const made = Object.assign(document.createElement(kind), properties);
	made.append(...children);
	return made;
}

const json = "application/json", headers = { Accept: json, "Content-Type": json };

// call asks the arena, or a site without one, and sends a value if given. If refused, it throws the arena's text.
export async function call(path, value, signal) {
	const sent = value && { method: "POST", body: JSON.stringify(value) };
	const answer = await (globalThis.site ?? globalThis).fetch(path, { ...sent, headers, signal }).catch((error) => {
		throw error instanceof TypeError ? new Error("The arena cannot be reached.") : error;
	});
	if (answer.ok) return answer;
	const { status } = answer, { error = `The arena answered ${status}.` } = await answer.json().catch(() => ({}));
	throw Object.assign(new Error(error), { status });
}

// barred says that the arena refuses for good, and why. It returns false if another try may help.
export const barred = ({ status, message }) => [401, 403, 404].includes(status) && say(message);

// insist repeats a request until it is answered or barred, and says why it fails.
export async function insist(request, again) {
	try {
		const answer = await request();
		if (again) say();
		return answer;
	} catch (error) {
		if (barred(error)) return null;
		say(error.message);
	}
	await new Promise((end) => setTimeout(end, 2000));
	return insist(request, true);
}

export const parse = (html) => new DOMParser().parseFromString(html, "text/html");

// ask returns an answer in JSON, and piece a part of a page.
export const ask = async (...asked) => (await call(...asked)).json();
export const piece = async (...asked) => parse(await (await call(...asked)).text());

// twin finds an old part's move, field, link, region or button in a fresh part.
const twin = (fresh, { localName, href, ariaLabel, name, form, dataset: { play } }) => [...fresh.querySelectorAll(localName)].find((element) => (
	play ? element.dataset.play === play : href ? element.href === href :
		element.ariaLabel === ariaLabel && element.name === name && element.form?.action === form?.action));

// put replaces an old part. It keeps regions scrolled, and keeps the focus or gives it to spare.
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

// swap replaces parts of this page by parts of a fresh one.
export function swap(fresh, ...selectors) {
	for (const selector of selectors) put(document.querySelector(selector), fresh.querySelector(selector));
}

// renewing returns a function that soon replaces changed parts of this page, less often if that takes long. A part stays
// old while the user is in one of its fields, or the arena is away.
export function renewing(selector) {
	let waiting, again, pause = 0;
	const renew = () => {
		again = true; // also during a renewal: its answer may be old
		waiting ??= setTimeout(async () => {
			const begun = performance.now();
			again = false;
			const page = await piece(location.href).catch((error) => { again = !barred(error); });
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

// enliven makes times local and copy buttons work.
export function enliven(root) {
	for (const time of root.querySelectorAll("time[datetime]")) {
		time.title = time.textContent;
		time.textContent = new Date(time.dateTime).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
	}
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
