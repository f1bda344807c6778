// The page of a game, for watching and for replaying.

import { onKeys, onLinks, stepping } from "./keys.js";
import { follow } from "./live.js";
import { Moves } from "./moves.js";
import { ask, fill, insist, number, tell } from "./page.js";
import { curves, marks, panels, share } from "./panels.js";
import { play, read } from "./rules.js";
import { Screen } from "./watch.js";

const piece = 1024; // plies with times and final scores in one answer

// Replay dispatches on root "ply" when its cursor has moved, and "plies" when the game has grown or ended.
class Replay extends Screen {
	constructor(root) {
		super(root);
		const { game, plies } = root.dataset;
		Object.assign(this, { id: game, following: this.ply === Number(plies), list: new Moves(this.part("moves")) });
	}

	async load() {
		await this.reload({ quiet: true });
		if (!this.record) return; // the page is barred
		this.listen();
		if (!this.over() && !globalThis.site) this.stream = follow(`/api/games/${this.id}/live?seen=${this.id}-${this.moves.length}`, { frame: (f) => this.extend(f) });
		this.root.replay = this;
		share(this);
		this.panels = panels(this);
		this.marks = marks(this);
		curves(this);
	}

	over() { return this.record.ending !== "unfinished"; }

	async reload(how) {
		const times = [];
		Object.assign(this, { times, scores: [], known: null, learnt: {} });
		const [game] = await Promise.all([insist(() => this.times === times && ask(`/api/games/${this.id}`)), this.learn()]);
		if (!game) return; // the page is barred, or a later reload goes on
		const { record, result, won = "", pauses = {}, every, positions = [] } = game, { moves } = record, start = read(this.root.dataset.start);
		Object.assign(this, { record, pauses, moves });
		fill(this.part, { result, won });
		this.positions = [start]; // the known positions, by ply
		positions.forEach((text, i) => { this.positions[(i + 1) * every] = read(text); });
		this.list.show(moves, Number(start.side === "defender"));
		this.grow();
		this.go(this.following ? moves.length : this.ply, how);
	}

	// learn loads times and final scores around the shown ply, the first time.
	async learn() {
		const { id, ply, learnt, times } = this, from = ply && ply - 1 - (ply - 1) % piece;
		this.learning = null;
		if (learnt[from]) return;
		learnt[from] = true;
		const { times_us = [], advantage } = await ask(`/api/games/${id}/plies?from=${from}`).catch(() => { delete learnt[from]; return {}; });
		if (times !== this.times) return; // the game has been loaded anew
		times_us.forEach((time, i) => { times[from + i] = time; });
		this.expect(advantage, from);
		this.facts();
	}

	facts() {
		const { ply, times: { [ply - 1]: time } } = this;
		fill(this.part, { spent: time === undefined ? "" : `${number(Math.round(time / 10) / 100)} ms` });
		this.compare(ply);
	}

	// at finds a position from the nearest known one before.
	at(ply) {
		const { positions, moves } = this;
		let known = ply;
		while (!positions[known]) known--;
		for (; known < ply; known++) positions[known + 1] = play(positions[known], moves[known]);
		return positions[ply];
	}

	grow() {
		this.part("slider").max = this.part("plies-text").textContent = this.moves.length;
		this.root.dispatchEvent(new Event("plies"));
	}

	// extend adds a frame of the stream, or reloads the record if plies are missing.
	async extend({ from, ply, moves, times_us, tiles, clocks, away, result, ending, advantage }) {
		const known = this.moves.length - from;
		if (known < 0 || ply < this.moves.length) return this.reload();
		this.moves.push(...moves.slice(known));
		times_us.forEach((time, i) => { this.times[from + i] = time; });
		this.scores[ply] = advantage;
		this.grow();
		if (String(this.at(ply).tiles) !== String(tiles)) return this.reload();
		Object.assign(this, { clocks, away });
		fill(this.part, { result });
		if (ending !== "unfinished") return this.finish();
		if (this.following && !this.varied) this.go(this.moves.length);
		else this.showSides();
	}

	// finish loads the game anew: everybody may see the search reports now.
	async finish() {
		this.stream.close();
		this.clocks = this.away = undefined;
		await this.reload({ quiet: true });
	}

	// jump goes to a ply. The browser's back button returns from it.
	jump(ply) {
		if (ply === this.ply && !this.varied) return;
		history.replaceState(null, "", this.address());
		history.pushState(null, "", this.address());
		this.go(ply); // this settles the new entry, too
	}

	address() { return this.following ? location.pathname : `${location.pathname}?ply=${this.ply}`; }

	go(ply, { quiet } = {}) {
		ply = Math.max(0, Math.min(ply, this.moves.length));
		const position = this.at(ply), move = this.moves[ply - 1] ?? "", { part } = this;
		const moved = ply !== this.ply, stepped = ply === this.ply + 1 && !this.varied, before = ply && this.at(ply - 1);
		this.varied = false;
		part("variation").hidden = true;
		this.show(position, ply, move, before, stepped);
		this.following = !this.over() && ply === this.moves.length; // an interrupted game may go on
		fill(part, { move });
		this.learning ??= setTimeout(() => this.learn(), 80); // once the board is drawn
		this.facts();
		Object.assign(part("slider"), { value: ply, ariaValueText: `ply ${ply} ${move}` });
		tell(part("pause"), this.pauses[ply]);
		this.list.mark(ply);
		this.showSides();
		if (moved && !quiet) {
			this.announce(`ply ${ply}: ${part("caption").textContent || "start"}`);
			this.settle();
		}
		this.root.dispatchEvent(new Event("ply"));
	}

	announce(announcer) { fill(this.part, { announcer }); }

	showSides() { this.sides.show(this.at(this.moves.length).side, this.clocks, this.away); }

	// settle puts the ply into the address soon: browsers limit the changes a second.
	settle() {
		clearTimeout(this.settling);
		if (location.pathname + location.search === this.address()) return;
		this.settling = setTimeout(() => history.replaceState(null, "", this.address()), 60);
	}

	// tryOut shows the line that a bot expected, up to a link in it.
	tryOut(link) {
		const links = [...link.parentElement.children], moves = links.slice(0, links.indexOf(link) + 1).map((a) => a.textContent);
		let before, position = this.at(this.ply - 1);
		for (const move of moves) [before, position] = [position, play(position, move)];
		this.varied = true; // other moves than those of the game are shown
		for (const a of links) a.ariaCurrent = a === link ? "true" : null;
		this.board.show(position, moves.at(-1), before);
		this.part("variation").hidden = false;
		fill(this.part, { "variation-text": `The bot expected: ${moves.join(" ")}. Not played.`, score: number(position.score) });
		this.announce(`variation, ${moves.at(-1)}, score ${position.score}`);
	}

	listen() {
		const { part } = this, back = () => this.go(this.ply), slider = part("slider");
		slider.oninput = () => this.go(slider.valueAsNumber);
		part("step=play").onclick = () => this.toggle();
		part("speed").onchange = () => this.timer && (this.toggle(), this.toggle());
		part("variation-back").onclick = back;
		onLinks(this.root, "[data-search-line] a", (link) => this.tryOut(link));
		onLinks(this.root, "[data-to]", (link) => {
			this.jump(Number(link.dataset.to));
			this.board.reveal();
		});
		stepping(this.root, () => this.ply, () => this.moves.length, (ply) => this.go(ply));
		onKeys({
			" ": () => this.toggle(), "+": () => this.hurry(1), "-": () => this.hurry(-1), Escape: () => this.varied && back(), m: () => this.marks?.(),
			x: () => this.panels?.(), e: () => part("analysis").click(),
		});
		addEventListener("popstate", () => {
			clearTimeout(this.settling);
			this.go(Number(new URLSearchParams(location.search).get("ply") ?? this.moves.length), { quiet: true });
		});
	}

	hurry(by) {
		const speed = this.part("speed"), to = speed.selectedIndex + by;
		if (!speed.options[to]) return;
		speed.selectedIndex = to;
		this.announce(`${speed.value} plies a second`);
		speed.onchange();
	}

	toggle() {
		if (this.timer) {
			this.timer = clearInterval(this.timer);
		} else {
			if (this.ply === this.moves.length) this.go(0);
			this.timer = setInterval(() => (this.ply < this.moves.length ? this.go(this.ply + 1) : this.toggle()), 1000 / this.part("speed").value);
		}
		this.part("step=play").ariaLabel = this.timer ? "pause" : "play";
	}
}

new Replay(document.querySelector("article.game")).load();
