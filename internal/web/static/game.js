// The page of a game, for watching and for replaying.

import { onKeys, onLinks, stepping } from "./keys.js";
import { follow } from "./live.js";
import { milliseconds, number } from "./moment.js";
import { Moves } from "./moves.js";
import { ask, fill, tell } from "./page.js";
import { Marks, Panels, share } from "./panels.js";
import { play, read, write } from "./rules.js";
import { Screen } from "./watch.js";

// Replay is a game with a cursor at the shown ply. It dispatches on root "ply" when the cursor has moved,
// "plies" when the game has grown or ended, and "variation" when it shows moves that were not played.
class Replay extends Screen {
	constructor(root) {
		super(root);
		const { game, plies } = root.dataset;
		this.id = game;
		this.searches = "searches" in root.dataset; // whether this visitor may see search reports
		this.following = this.ply === Number(plies);
		this.list = new Moves(this.part("moves"));
		this.variation = null; // {steps} while a variation is shown
	}

	async load() {
		await this.reload({ quiet: true });
		this.listen();
		if (this.over() || globalThis.site) return;
		this.stream = follow(`/api/games/${this.id}/live?seen=${this.id}-${this.moves.length}`, { frame: (f) => this.extend(f) });
	}

	over() { return this.record.ending !== "unfinished"; }

	dispatch(type) { this.root.dispatchEvent(new Event(type)); }

	async reload(how) {
		const { record, result, won = "", pauses = {}, every, positions = [] } = await ask(`/api/games/${this.id}`);
		const { moves = [], times_us: times = [], lags_us: lags = [] } = record, start = read(this.root.dataset.start);
		Object.assign(this, { record, pauses, moves, times, lags, half: Number(start.side === "defender") });
		fill(this.part, { result, won });
		this.positions = [start]; // the known positions, by ply
		positions.forEach((text, i) => { this.positions[(i + 1) * every] = read(text); });
		this.list.show(moves, this.half);
		this.grow();
		this.go(this.following ? moves.length : this.ply, how);
	}

	// at returns the position at a ply. It plays the moves from the nearest known position before.
	at(ply) {
		const { positions, moves } = this;
		let known = ply;
		while (!positions[known]) known--;
		for (; known < ply; known++) positions[known + 1] = play(positions[known], moves[known]);
		return positions[ply];
	}

	grow() {
		this.part("slider").max = this.part("plies-text").textContent = this.moves.length;
		this.dispatch("plies");
	}

	// extend adds a frame of the stream, or reloads the record if plies are missing.
	async extend({ from, ply, moves, times_us, lags_us, tiles, clocks, away, result, ending }) {
		const known = this.moves.length - from;
		if (known < 0 || ply < this.moves.length) return this.reload();
		this.moves.push(...moves.slice(known));
		this.times.push(...times_us.slice(known));
		this.lags.push(...lags_us.slice(known));
		this.grow();
		if (String(this.at(ply).tiles) !== String(tiles)) return this.reload();
		Object.assign(this, { clocks, away });
		this.part("result").textContent = result;
		if (ending !== "unfinished") return this.finish();
		if (this.following && !this.variation) this.go(this.moves.length);
		else this.showSides();
	}

	// finish loads the record with the search reports: everybody may see them now.
	async finish() {
		this.stream.close();
		this.clocks = this.away = undefined;
		this.searches = true;
		await this.reload({ quiet: true });
		this.following = false;
	}

	// jump goes to a ply. The browser's back button returns from it.
	jump(ply) {
		if (ply === this.ply && !this.variation) return;
		clearTimeout(this.settling);
		history.replaceState(null, "", this.address());
		history.pushState(null, "", this.address());
		this.go(ply); // this settles the new entry, too
	}

	address() { return this.following ? location.pathname : `${location.pathname}?ply=${this.ply}`; }

	// go shows a ply, and puts it into the address.
	go(ply, { quiet } = {}) {
		ply = Math.max(0, Math.min(ply, this.moves.length));
		const position = this.at(ply), move = this.moves[ply - 1] ?? "", time = this.times[ply - 1], { part } = this;
		const moved = ply !== this.ply, stepped = ply === this.ply + 1 && !this.variation;
		this.variation = null;
		part("variation").hidden = true;
		this.show(position, ply, move, stepped && this.at(ply - 1));
		this.following = !this.over() && ply === this.moves.length; // an interrupted game may go on
		fill(part, { move, spent: time === undefined ? "" : milliseconds(time) });
		Object.assign(part("slider"), { value: ply, ariaValueText: `ply ${ply} ${move}` });
		tell(part("pause"), this.pauses[ply]);
		this.list.mark(ply);
		this.showSides();
		if (moved && !quiet) {
			this.announce(`ply ${ply}: ${move || "start"}, score ${position.score}`);
			this.settle();
		}
		this.dispatch("ply");
	}

	announce(text) { this.part("announcer").textContent = text; }

	showSides() { this.sides.show(this.at(this.moves.length).side, this.clocks, this.away); }

	// settle puts the ply into the address soon: browsers limit the changes a second.
	settle() {
		clearTimeout(this.settling);
		if (this.following && location.pathname + location.search === this.address()) return;
		this.settling = setTimeout(() => history.replaceState(null, "", this.address()), 60);
	}

	// tryOut shows the first steps of moves that were not played.
	tryOut(at, moves, steps) {
		let before, position = this.at(at);
		const tried = moves.slice(0, steps);
		for (const move of tried) [before, position] = [position, play(position, move)];
		this.variation = { steps };
		this.board.show(position, tried.at(-1), before);
		this.part("variation").hidden = false;
		fill(this.part, { "variation-text": `The bot expected: ${tried.join(" ")}. Not played.`, score: number(position.score) });
		this.announce(`variation, ${tried.at(-1)}, score ${position.score}`);
		this.dispatch("variation");
	}

	text() { return write(this.at(this.ply), Number(this.root.dataset.start.split(" ")[3]) + this.ply); }

	listen() {
		const { part } = this, back = () => this.go(this.ply), slider = part("slider");
		slider.oninput = () => this.go(slider.valueAsNumber);
		part("step=play").onclick = () => this.toggle();
		part("speed").onchange = () => this.timer && (this.toggle(), this.toggle());
		part("variation-back").onclick = back;
		onLinks(this.root, "[data-to]", (link) => {
			this.jump(Number(link.dataset.to));
			this.board.reveal();
		});
		stepping(this.root, () => this.ply, () => this.moves.length, (ply) => this.go(ply));
		onKeys({
			" ": () => this.toggle(), "+": () => this.hurry(1), "-": () => this.hurry(-1), Escape: () => this.variation && back(), m: () => this.marks?.next(), x: () => this.panels?.toggle(),
			e: () => location.assign(part("analysis").href),
		});
		addEventListener("popstate", () => {
			clearTimeout(this.settling);
			this.go(Number(new URLSearchParams(location.search).get("ply") ?? this.moves.length), { quiet: true });
		});
	}

	// hurry plays by that many steps of the list of speeds faster.
	hurry(by) {
		const speed = this.part("speed"), to = speed.selectedIndex + by;
		if (to < 0 || to >= speed.length) return;
		speed.selectedIndex = to;
		this.announce(`${speed.value} plies a second`);
		speed.onchange();
	}

	// toggle starts autoplay, or stops it.
	toggle() {
		if (this.timer) {
			this.timer = clearInterval(this.timer);
		} else {
			if (this.ply === this.moves.length) this.go(0);
			this.timer = setInterval(() => (this.ply < this.moves.length ? this.go(this.ply + 1) : this.toggle()), 1000 / this.part("speed").value);
		}
		const [textContent, ariaLabel] = this.timer ? ["▮▮", "pause"] : ["▶▶", "play"];
		Object.assign(this.part("step=play"), { textContent, ariaLabel });
	}
}

const root = document.querySelector("article.game");
const replay = new Replay(root);
await replay.load();
root.replay = replay;
share(replay);
replay.panels = new Panels(replay);
replay.marks = new Marks(replay);
const { Plots } = await import("./plots.js"); // after the board: the plots are the largest module
replay.plots = new Plots(replay);
