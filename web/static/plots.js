// The curves of a game by ply under one cursor. They are drawn by uPlot.

import { ask, make } from "./page.js";
import uPlot from "./vendor/uPlot.esm.js";

const height = 150;

// colour returns a colour of the style sheet.
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// sides splits a list of plies' numbers into those of the attacker and of the defender.
function sides(list, first) {
	const pick = (side) => [null, ...list.map((v, i) => ((i % 2 === 0) === (side === first) ? v : null))];
	return [pick("attacker"), pick("defender")];
}

// Plots are those curves of which there is anything to show. A click or a drag moves the ply.
export class Plots {
	constructor(replay) {
		this.replay = replay;
		this.box = replay.part("plots");
		this.values = [];
		this.charts = new Map();
		this.sync = uPlot.sync("plies");
		this.style().then(() => this.begin());
	}

	// style loads the style sheet of uPlot.
	style() {
		const link = make("link", { rel: "stylesheet", href: new URL("vendor/uPlot.min.css", import.meta.url) });
		return new Promise((done) => { link.onload = link.onerror = done; document.head.append(link); });
	}

	async begin() {
		await this.askValues();
		this.draw();
		const { root } = this.replay;
		root.addEventListener("plies", () => this.grow());
		root.addEventListener("ply", () => this.mark());
		new ResizeObserver(() => this.charts.forEach((c) => c.setSize({ width: this.width(), height }))).observe(this.box);
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
			this.charts.forEach((c) => c.destroy());
			this.charts.clear();
			this.draw();
		});
	}

	width() { return Math.max(200, this.box.clientWidth); }

	// askValues gets what the bots expected, if this visitor may know.
	async askValues() {
		if (!this.replay.searches) return;
		({ values: this.values } = await ask(`/api/games/${this.replay.id}/values`).catch(() => this));
	}

	// grow shows what has been added, and asks for values at most every two seconds.
	grow() {
		this.draw();
		this.asking ??= setTimeout(async () => {
			this.asking = null;
			await this.askValues();
			this.draw();
		}, 2000);
	}

	// curves returns the titles and the data of all plots that are not empty.
	curves() {
		const { replay } = this, first = replay.positions[0].side;
		const all = [{ title: "score", lines: [replay.positions.map((p) => p.score)], names: ["score"] }];
		const both = ["attacker", "defender"];
		const add = (title, list) => { if (list.some((v) => v)) all.push({ title, lines: sides(list, first), names: both }); };
		add("time, ms", replay.times.map((us) => us / 1000));
		add("lag, ms", replay.lags.map((us) => us / 1000));
		add("value by the bots' searches", this.values);
		return all;
	}

	draw() {
		const plies = this.replay.positions.map((_, i) => i);
		this.box.hidden = plies.length < 2;
		if (this.box.hidden) return;
		for (const { title, lines, names } of this.curves()) {
			const data = [plies, ...lines.map((l) => plies.map((i) => l[i] ?? null))];
			const chart = this.charts.get(title);
			if (chart) chart.setData(data);
			else this.charts.set(title, this.chart(title, names, data));
		}
		this.mark();
	}

	chart(title, names, data) {
		const ink = { score: "--text", attacker: "--attacker", defender: "--defender" };
		const axis = { stroke: colour("--quiet"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } };
		const chart = new uPlot({
			title, width: this.width(), height,
			scales: { x: { time: false } },
			cursor: { sync: { key: this.sync.key, setSeries: false }, drag: { setScale: false, x: false, y: false }, points: { size: 6 } },
			legend: { live: true },
			axes: [{ ...axis, size: 30 }, { ...axis, size: 60 }],
			series: [
				{ label: "ply" },
				...names.map((name, i) => ({ label: name, stroke: colour(ink[name]), width: 1.5, spanGaps: true, dash: i ? [6, 3] : undefined, points: { show: false } })),
			],
		}, data, this.box);
		Object.assign(chart.root, { role: "img", ariaLabel: `${title} by ply` });
		chart.over.append(make("div", { className: "at-ply" }));
		this.listen(chart);
		return chart;
	}

	// listen lets a pointer move the ply: the first touch is a jump, dragging steps on from there.
	listen(chart) {
		const at = (event) => Math.round(chart.posToVal(event.clientX - chart.over.getBoundingClientRect().left, "x"));
		chart.over.addEventListener("pointerdown", (event) => {
			if (event.button) return;
			chart.over.setPointerCapture(event.pointerId);
			this.replay.jump(Math.max(0, Math.min(at(event), this.replay.moves.length)));
		});
		chart.over.addEventListener("mouseleave", () => this.mark());
		chart.over.addEventListener("pointermove", (event) => {
			if (event.buttons & 1 && chart.over.hasPointerCapture(event.pointerId)) this.replay.go(at(event));
		});
	}

	// mark shows in all plots at which ply the board is.
	mark() {
		for (const chart of this.charts.values()) {
			chart.over.querySelector(".at-ply").style.transform = `translateX(${chart.valToPos(this.replay.ply, "x")}px)`;
			chart.setLegend({ idx: this.replay.ply }, false);
		}
	}
}
