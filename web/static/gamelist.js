// The list of an event's games. Only the rows in view are on the page; the others are asked for as one
// scrolls.

const size = 100; // games of one request
const spare = 12; // rows above and below those in view

export class GameList {
  constructor(root, event) {
    this.root = root;
    this.event = event;
    this.scroller = root.querySelector("[data-games-list]");
    this.table = this.scroller.querySelector("table");
    this.body = this.table.tBodies[0];
    this.form = root.querySelector("[data-games-filter]");
    this.total = Number(this.table.dataset.total);
    this.sort = this.table.dataset.sort;
    this.reverse = "reverse" in this.table.dataset;
    this.pages = new Map();
    this.scroller.classList.add("windowed");
    root.querySelector("[data-games-pager]").hidden = true;
    this.form.querySelector("button").hidden = true;
    this.form.addEventListener("change", () => this.restart());
    this.form.addEventListener("submit", (event) => { event.preventDefault(); this.restart(); });
    this.table.tHead.addEventListener("click", (event) => this.order(event));
    this.scroller.addEventListener("scroll", () => this.later(), { passive: true });
    addEventListener("resize", () => this.later());
    this.row = 44;
    this.first = 0; // the rows that the server made stay until theirs are here
    this.show();
  }

  later() {
    this.waiting ??= requestAnimationFrame(() => { this.waiting = null; this.show(); });
  }

  // restart shows the list from its beginning, filtered and sorted anew.
  restart() {
    this.pages.clear();
    this.scroller.scrollTop = 0;
    this.show();
  }

  order(event) {
    const link = event.target.closest("[data-order]");
    if (!link || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    this.reverse = this.sort === link.dataset.order && !this.reverse;
    this.sort = link.dataset.order;
    for (const head of this.table.tHead.rows[0].cells) {
      const own = head.contains(link);
      head.querySelector("span")?.remove();
      if (!own) { head.removeAttribute("aria-sort"); continue; }
      head.setAttribute("aria-sort", this.reverse ? "descending" : "ascending");
      const sign = document.createElement("span");
      sign.setAttribute("aria-hidden", "true");
      sign.textContent = this.reverse ? " ▼" : " ▲";
      link.append(sign);
    }
    this.restart();
  }

  // grow is told that games have ended or begun: the rows in view are read again.
  grow() {
    this.pages.clear();
    this.show();
  }

  // page returns the games of a page, or null while they are on their way.
  page(n) {
    const known = this.pages.get(n);
    if (known) return known.games;
    const page = { games: null };
    this.pages.set(n, page);
    const fields = new FormData(this.form);
    const query = new URLSearchParams({ bot: fields.get("bot"), ending: fields.get("ending"), sort: this.sort, offset: n * size, limit: size });
    if (this.reverse) query.set("reverse", "1");
    fetch(`/api/events/${this.event}/games?${query}`).then(async (answer) => {
      if (!answer.ok) throw new Error(answer.status);
      const { total, games } = await answer.json();
      if (this.pages.get(n) !== page) return; // the list has changed
      page.games = games;
      this.total = total;
      this.root.querySelector("[data-games-count]").textContent = `${total} games`;
      this.later();
    }).catch(() => {
      if (this.pages.get(n) === page) setTimeout(() => { this.pages.delete(n); this.later(); }, 2000);
    });
    return null;
  }

  // show puts the rows in view on the page, and the height of all others above and below.
  show() {
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / this.row) - spare);
    const last = Math.min(Math.max(this.total, 1), first + Math.ceil(this.scroller.clientHeight / this.row) + 2 * spare);
    const rows = [];
    for (let i = first; i < last; i++) {
      const games = this.page(Math.floor(i / size));
      if (games && !games[i % size]) break;
      rows.push(this.line(games?.[i % size], i));
    }
    if (rows.some((row) => row.classList.contains("loading")) && this.body.rows.length > 2 && !this.moved(first)) return;
    this.first = first;
    this.table.setAttribute("aria-rowcount", this.total + 1);
    this.body.replaceChildren(this.gap(first), ...rows, this.gap(this.total - first - rows.length));
  }

  // moved reports whether other rows are in view than on the page.
  moved(first) { return this.first === undefined || Math.abs(first - this.first) > spare; }

  gap(rows) {
    const row = document.createElement("tr");
    row.className = "gap";
    row.setAttribute("aria-hidden", "true");
    row.style.height = `${Math.max(0, rows) * this.row}px`;
    return row;
  }

  line(game, index) {
    const row = document.createElement("tr");
    row.setAttribute("aria-rowindex", index + 2);
    if (!game) {
      row.className = "loading";
      row.insertCell().colSpan = 8;
      row.cells[0].textContent = "…";
      return row;
    }
    const add = (text, number) => {
      const cell = row.insertCell();
      if (number) cell.className = "n";
      return cell.appendChild(document.createElement(number ? "span" : "bdi")).textContent = text;
    };
    add(`${game.match}.${game.leg}`, true);
    const link = document.createElement("a");
    link.className = "tall";
    link.href = `/games/${game.game}`;
    link.textContent = game.game;
    const cell = row.insertCell();
    cell.className = "n";
    cell.append(link);
    add(game.defender);
    add(game.attacker);
    add(game.score, true);
    add(game.largest_tile, true);
    add(game.plies, true);
    add(game.ending);
    return row;
  }
}
