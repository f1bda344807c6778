// The list of moves, by turns. Only the turns that can be seen are in the page, so that a game may have
// any length.

export class Moves {
  // pick is called with the ply of a move that was clicked.
  constructor(element, pick) {
    this.element = element;
    this.list = element.querySelector("ol");
    this.moves = [];
    this.odd = 0; // 1 if the game begins with a slide: then half a turn is missing
    this.ply = 0;
    element.addEventListener("scroll", () => this.draw());
    element.addEventListener("click", (event) => {
      const link = event.target.closest("[data-to]");
      if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      pick(Number(link.dataset.to));
    });
  }

  // show shows moves, which may have grown.
  show(moves, odd) {
    this.moves = moves;
    this.odd = odd;
    this.draw(true);
  }

  turnOf(ply) { return Math.floor((ply - 1 + this.odd) / 2); }

  // mark shows at which ply the board is.
  mark(ply) {
    this.ply = ply;
    const height = this.rowHeight(), middle = this.turnOf(Math.max(1, ply)) * height;
    if (middle < this.element.scrollTop || middle > this.element.scrollTop + this.element.clientHeight - 2 * height) {
      this.element.scrollTop = middle - this.element.clientHeight / 2;
    }
    this.draw(true);
  }

  rowHeight() { return this.height ??= this.list.firstElementChild?.getBoundingClientRect().height || 28; }

  // draw makes the rows around those that can be seen.
  draw(changed = false) {
    const turns = this.turnOf(this.moves.length) + 1, height = this.rowHeight();
    const first = Math.max(0, Math.min(Math.floor(this.element.scrollTop / height) - 10, turns - 1));
    const past = Math.min(turns, Math.ceil((this.element.scrollTop + this.element.clientHeight) / height) + 10);
    if (!changed && first === this.first && past === this.past) return;
    const focused = this.list.contains(document.activeElement) && document.activeElement.dataset.to;
    this.first = first;
    this.past = past;
    this.list.start = first + 1;
    this.list.style.paddingTop = `${first * height}px`;
    this.list.style.paddingBottom = `${Math.max(0, turns - past) * height}px`;
    this.list.replaceChildren(...Array.from({ length: Math.max(0, past - first) }, (_, i) => this.row(first + i)));
    if (focused) this.list.querySelector(`[data-to="${focused}"]`)?.focus({ preventScroll: true });
  }

  row(turn) {
    const item = document.createElement("li");
    for (let i = Math.max(0, 2 * turn - this.odd); i < Math.min(2 * turn - this.odd + 2, this.moves.length); i++) {
      const link = document.createElement("a");
      link.href = `?ply=${i + 1}`;
      link.dataset.to = i + 1;
      link.textContent = this.moves[i];
      if (i + 1 === this.ply) link.setAttribute("aria-current", "true");
      item.append(link, " ");
    }
    return item;
  }
}
