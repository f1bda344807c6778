// The protocol of docs/PROTOCOL.md in the browser: a bot whose moves a person chooses.

const retry = 1000; // milliseconds between tries to come back

export class Client {
	// on has a function for each type of message of the arena, and lost, back and closed.
	constructor(name, token, on) {
		Object.assign(this, { name, token, on, grace: 0 });
		this.connect();
	}

	connect() {
		this.socket = new WebSocket(`${location.origin.replace("http", "ws")}/bot`, "versus2048.v1");
		this.socket.onopen = () => this.send({ type: "hello", name: this.name, token: this.token, author: "a person", slots: 1 });
		this.socket.onmessage = (event) => this.take(JSON.parse(event.data));
		this.socket.onclose = () => this.lost();
	}

	send(message) { if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message)); }

	take(m) {
		if (m.type === "welcome") {
			this.grace = m.grace_ms;
			if (this.away) this.on.back();
			this.away = 0;
		}
		if (m.type === "refusal" || m.type === "goodbye" && !m.reconnect) this.done = true;
		if (m.type === "request") this.asked = { game: m.game, ply: m.ply, at: performance.now() };
		if (m.type === "over" && this.asked?.game === m.game) this.asked = null;
		this.on[m.type]?.(m);
	}

	// lost tries to come back until the arena has given up the game.
	lost() {
		this.away ||= performance.now();
		if (!this.done && performance.now() - this.away <= this.grace) {
			this.on.lost();
			setTimeout(() => this.connect(), retry);
			return;
		}
		this.on.closed(this.done ? "" : "The arena cannot be reached, and the game is lost.");
		this.done = true;
	}

	// answer answers the open request. It reports whether there was one.
	answer(type, more) {
		if (!this.asked) return false;
		const { game, ply, at } = this.asked;
		this.send({ type, game, ply, ...more, ...(type === "move" && { spent_us: Math.round(1000 * (performance.now() - at)) }) });
		this.asked = null;
		return true;
	}

	// leave ends the game and the connection; the promise is kept when the arena has noticed.
	leave() {
		if (this.socket.readyState === WebSocket.CLOSED) return Promise.resolve();
		this.done = true;
		this.send({ type: "goodbye", reason: "the person has left" });
		return new Promise((closed) => { this.on.closed = closed; });
	}
}
