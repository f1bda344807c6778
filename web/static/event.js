// The page of an event: what the server made, kept up to date.

import { GameList } from "./gamelist.js";
import { follow } from "./live.js";
import { localise, number } from "./moment.js";

localise();
const root = document.querySelector("article.event");
const part = (name) => root.querySelector(`[data-${name}]`);
const list = new GameList(root.querySelector("#games"), root.dataset.event);
copying(root);
if ("live" in root.dataset) {
  const stream = follow(`/api/events/${root.dataset.event}/live`, { state: show, end: () => { stream.close(); swap(); } });
}

// copying makes the buttons work that copy a text.
function copying(element) {
  for (const button of element.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const text = button.parentElement.querySelector("[data-copied]");
      try {
        await navigator.clipboard.writeText(text.textContent);
      } catch { // not on a safe connection: then the text is selected
        getSelection().selectAllChildren(text);
        document.execCommand("copy");
      }
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
  }
}

let state = part("state").textContent, done = Number(root.dataset.done), swapped = performance.now();

// show shows a message of the stream, which has the whole state.
function show(now) {
  part("done-text").textContent = number(now.done) + (now.total ? ` of ${now.bound ? `${now.bound} ` : ""}${number(now.total)}` : "");
  part("playing").textContent = now.playing;
  part("message").textContent = now.message ?? "";
  const progress = part("progress");
  if (progress) Object.assign(progress, { max: now.total, value: now.done });
  part("state").textContent = now.state;
  part("state").className = `state ${now.state}`;
  away(now.away ?? []);
  standings(now);
  if (now.test) {
    for (const [name, text] of Object.entries({ llr: now.test.llr.toFixed(2), trials: now.test.trials, outcome: now.test.outcome })) {
      const element = part(name);
      if (element) element.textContent = text;
    }
  }
  if (now.done !== done) list.grow();
  if (now.state !== state) part("announcer").textContent = `The event is ${now.state}.`;
  if (now.state !== state || now.done !== done && performance.now() - swapped > 5000) swap();
  [state, done] = [now.state, now.done];
  root.dataset.done = done;
}

function away(bots) {
  part("away").hidden = !bots.length;
  part("away").replaceChildren(...bots.map(({ bot }) => {
    const element = document.createElement("span");
    element.className = "away";
    const name = document.createElement("bdi");
    name.textContent = bot;
    element.append(name, " is away ");
    return element;
  }));
}

// standings writes the rows of the table, which keeps its columns.
function standings(now) {
  const table = part("standings");
  if (!now.places) return;
  if (!table) return void swapStandings();
  table.tBodies[0].replaceChildren(...now.places.map((place) => {
    const row = document.createElement("tr");
    const add = (text) => Object.assign(row.insertCell(), { className: "n", textContent: text });
    add(place.place);
    const link = document.createElement("a");
    link.className = "bot";
    link.href = `/bots/${encodeURIComponent(place.name)}`;
    link.appendChild(document.createElement("bdi")).textContent = place.name;
    row.insertCell().append(link);
    add(place.played);
    place.values?.forEach(add);
    add(place.elo ?? "");
    return row;
  }));
}

const swapStandings = () => swap(["standings"]);

// swap replaces the parts of the page that the server makes.
async function swap(more = []) {
  swapped = performance.now();
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const old of root.querySelectorAll(["[data-swap]", ...more.map((id) => `#${id}`)].join())) {
    const made = page.getElementById(old.id);
    if (!made || old.contains(document.activeElement)) continue;
    old.replaceWith(made);
    copying(made);
  }
}
