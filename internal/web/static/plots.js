// The curves of a game by ply.

import { ask, make } from "./page.js";
import uPlot from "./vendor/uPlot.esm.js";

const height = 150;
const mostPoints = 1024; // of a curve

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

// Plots are curves. A click or drag moves the ply.
export class Plots {
	constructor(replay) {
		Object.assign(this, { replay, box: replay.part("plots"), values: [], charts: new Map() }); // charts: by title
		replay.root.addEventListener("plies", () => this.grow());
		replay.root.addEventListener("ply", () => this.mark());
		const fit = () => this.charts.forEach((c) => c.setSize({ width: this.width(), height }));
		new ResizeObserver(() => requestAnimationFrame(fit)).observe(this.box); // in the next frame: otherwise it loops
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
			this.clear();
			this.draw();
		});
		this.askValues();
	}

	width() { return Math.max(200, this.box.clientWidth); }

	// askValues adds the scores that bots expected, if the visitor may see them.
	async askValues() {
		this.asking = null;
		if (this.replay.searches) ({ values: this.values } = await ask(`/api/games/${this.replay.id}/values`).catch(() => this));
		this.draw();
	}

	// grow shows new plies, and requests values at most every two seconds.
	grow() {
		this.draw();
		this.asking ??= setTimeout(() => this.askValues(), 2000);
	}

	// sample chooses the plies of the points: all, or in a long game every 2nd, 4th, ...
	sample() {
		const last = this.replay.moves.length, every = 2 ** Math.max(0, Math.ceil(Math.log2(last / mostPoints)));
		if (every !== this.every) this.clear(); // the titles have the number
		this.every = every;
		this.plies = Array.from({ length: Math.ceil(last / every) + 1 }, (_, i) => Math.min(i * every, last));
	}

	// curves returns lines by title and name. A point has the largest value since the point before, or null.
	curves() {
		const { replay, plies } = this, { times, lags, half } = replay;
		const of = (odd, list, unit = 1) => plies.map((end, i) => {
			const from = plies[i - 1] ?? 0, own = list.slice(from, end).filter((value, j) => value !== null && (from + j + half) % 2 === odd);
			return own.length ? Math.max(...own) / unit : null;
		});
		const both = (...list) => ({ attacker: of(0, ...list), defender: of(1, ...list) });
		return {
			score: { score: plies.map((ply) => replay.at(ply).score) }, "time, ms": both(times, 1000),
			"lag, ms": both(lags, 1000), "value by the bots' searches": both(this.values),
		};
	}

	clear() {
		this.charts.forEach((c) => c.destroy());
		this.charts.clear();
	}

	draw() {
		this.sample();
		const { plies, charts } = this;
		this.box.hidden = plies.length < 2;
		if (this.box.hidden) return;
		for (const [title, lines] of Object.entries(this.curves())) {
			const values = Object.values(lines), data = [plies, ...values], known = charts.get(title);
			if (known) known.setData(data);
			else if (lines.score || values.flat().some(Boolean)) charts.set(title, this.chart(title, Object.keys(lines), data));
		}
		this.mark();
	}

	chart(of, names, data) {
		const title = this.every > 1 ? `${of}: the largest of each ${this.every} plies` : of;
		const axis = { stroke: colour("quiet"), grid: { stroke: colour("line"), width: 1 }, ticks: { show: false } };
		const line = (name, i) => ({
			label: name, stroke: colour(name), width: 1.5, spanGaps: true, dash: i ? [6, 3] : undefined, points: { show: false },
		});
		const chart = new uPlot({
			title, width: this.width(), height,
			scales: { x: { time: false } },
			cursor: { sync: { key: "plies", setSeries: false }, drag: { setScale: false, x: false, y: false }, points: { size: 6 } },
			axes: [{ ...axis, size: 30 }, { ...axis, size: 60 }],
			series: [{ label: "ply" }, ...names.map(line)],
			hooks: { ready: [() => this.mark()] }, // before that it has no scales
		}, data, this.box);
		Object.assign(chart.root, { role: "img", ariaLabel: `${title} by ply` });
		chart.over.append(make("div", { className: "at-ply" }));
		this.listen(chart);
		return chart;
	}

	// listen lets a pointer move the ply: a touch jumps, dragging steps on from there.
	listen(chart) {
		const { over } = chart, plyAt = ({ offsetX }) => Math.round(chart.posToVal(offsetX, "x"));
		over.onpointerdown = (event) => {
			if (event.button) return;
			over.setPointerCapture(event.pointerId);
			this.replay.jump(plyAt(event));
		};
		over.onpointermove = (event) => { if (over.hasPointerCapture(event.pointerId)) this.replay.go(plyAt(event)); };
		over.addEventListener("mouseleave", () => this.mark());
	}

	mark() {
		for (const chart of this.charts.values()) {
			chart.over.querySelector(".at-ply").style.transform = `translateX(${chart.valToPos(this.replay.ply, "x")}px)`;
			chart.setLegend({ idx: Math.ceil(this.replay.ply / this.every) }, false);
		}
	}
}
