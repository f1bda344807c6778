// The curves of a game by ply.

import { ask, make } from "./page.js";
import uPlot from "./vendor/uPlot.esm.js";

const height = 150;

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

// Plots are curves. A click or drag moves the ply.
export class Plots {
	constructor(replay) {
		Object.assign(this, { replay, box: replay.part("plots"), values: [], charts: new Map() }); // by title
		replay.root.addEventListener("plies", () => this.grow());
		replay.root.addEventListener("ply", () => this.mark());
		new ResizeObserver(() => requestAnimationFrame(() => this.fit())).observe(this.box); // now it loops
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
			this.charts.forEach((c) => c.destroy());
			this.charts.clear();
			this.draw();
		});
		this.askValues();
	}

	fit() { this.charts.forEach((c) => c.setSize({ width: this.width(), height })); }

	width() { return Math.max(200, this.box.clientWidth); }

	// askValues adds what bots expected, if the visitor may know.
	async askValues() {
		this.asking = null;
		if (this.replay.searches) ({ values: this.values } = await ask(`/api/games/${this.replay.id}/values`).catch(() => this));
		this.draw();
	}

	// grow shows what is new, but asks values every two seconds.
	grow() {
		this.draw();
		this.asking ??= setTimeout(() => this.askValues(), 2000);
	}

	// curves returns lines by title and name, a value or null for each ply.
	curves() {
		const { positions, times, lags } = this.replay;
		const of = (side, list) => positions.map((_, ply) => (positions[ply - 1]?.side === side ? list[ply - 1] ?? null : null));
		const both = (list) => ({ attacker: of("attacker", list), defender: of("defender", list) });
		return {
			score: { text: positions.map((p) => p.score) },
			"time, ms": both(times.map((us) => us / 1000)),
			"lag, ms": both(lags.map((us) => us / 1000)),
			"value by the bots' searches": both(this.values),
		};
	}

	draw() {
		const plies = this.replay.positions.map((_, ply) => ply);
		this.box.hidden = plies.length < 2;
		if (this.box.hidden) return;
		for (const [title, lines] of Object.entries(this.curves())) {
			const data = [plies, ...Object.values(lines)];
			if (this.charts.has(title)) this.charts.get(title).setData(data);
			else if (title === "score" || data.slice(1).flat().some(Boolean)) this.charts.set(title, this.chart(title, Object.keys(lines), data));
		}
		this.mark();
	}

	chart(title, names, data) {
		const axis = { stroke: colour("quiet"), grid: { stroke: colour("line"), width: 1 }, ticks: { show: false } };
		const line = (name, i) => ({
			label: name === "text" ? title : name, stroke: colour(name), width: 1.5, spanGaps: true, dash: i ? [6, 3] : undefined, points: { show: false },
		});
		const chart = new uPlot({
			title, width: this.width(), height,
			scales: { x: { time: false } },
			cursor: { sync: { key: "plies", setSeries: false }, drag: { setScale: false, x: false, y: false }, points: { size: 6 } },
			axes: [{ ...axis, size: 30 }, { ...axis, size: 60 }],
			series: [{ label: "ply" }, ...names.map(line)],
			hooks: { ready: [() => this.mark()] }, // before, it has no scales
		}, data, this.box);
		Object.assign(chart.root, { role: "img", ariaLabel: `${title} by ply` });
		chart.over.append(make("div", { className: "at-ply" }));
		this.listen(chart.over, (event) => Math.round(chart.posToVal(event.clientX - chart.over.getBoundingClientRect().left, "x")));
		return chart;
	}

	// listen lets a pointer move the ply: a touch is a jump, dragging steps on from there.
	listen(over, plyAt) {
		over.addEventListener("pointerdown", (event) => {
			if (event.button) return;
			over.setPointerCapture(event.pointerId);
			this.replay.jump(plyAt(event));
		});
		over.addEventListener("mouseleave", () => this.mark());
		over.addEventListener("pointermove", (event) => {
			if (event.buttons & 1 && over.hasPointerCapture(event.pointerId)) this.replay.go(plyAt(event));
		});
	}

	mark() {
		for (const chart of this.charts.values()) {
			chart.over.querySelector(".at-ply").style.transform = `translateX(${chart.valToPos(this.replay.ply, "x")}px)`;
			chart.setLegend({ idx: this.replay.ply }, false);
		}
	}
}
