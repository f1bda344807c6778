// The protocol of docs/PROTOCOL.md: the person is a bot to the arena.

export class Client {
	// game has onTYPE for each message of the arena, and onlost, onback and onclosed.
	constructor({ name, token }, game) {
		Object.assign(this, { name, token, game, grace: 0 });
	}

	connect() {
		this.socket = new WebSocket(`${location.origin.replace("http", "ws")}/bot`, "versus2048.v1");
		this.socket.onopen = () => this.done ? this.socket.close() : this.send({ type: "hello", name: this.name, token: this.token, author: "a person", slots: 1 });
		this.socket.onmessage = (event) => this.take(JSON.parse(event.data));
		this.socket.onclose = () => this.lost();
	}

	send(message) { if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message)); }

	take(m) {
		if (m.code === "name_in_use") return; // lost tries again, until the arena has noticed
		if (m.type === "welcome") {
			this.grace = m.grace_ms;
			if (this.away) this.game.onback();
			this.away = 0;
		}
		if (m.type === "refusal" || m.type === "goodbye" && !m.reconnect) this.done = true;
		if (m.type === "request") this.asked = { game: m.game, ply: m.ply, at: performance.now() };
		if (m.type === "over" && this.asked?.game === m.game) this.asked = null;
		this.game[`on${m.type}`]?.(m);
	}

	// lost tries to reconnect each second, until the arena gives up the game.
	lost() {
		this.away ||= performance.now();
		if (!this.done && performance.now() - this.away <= this.grace) {
			this.game.onlost();
			setTimeout(() => { if (!this.done) this.connect(); }, 1000);
			return;
		}
		this.left?.();
		if (!this.done) this.game.onclosed();
		this.done = true;
	}

	// answer returns false without an open request.
	answer(type, more) {
		if (!this.asked) return false;
		const { game, ply, at } = this.asked;
		this.send({ type, game, ply, ...more, ...(type === "move" && { spent_us: Math.round(1000 * (performance.now() - at)) }) });
		this.asked = null;
		return true;
	}

	// leave ends the game, and waits until the arena has noticed.
	leave() {
		this.done = true;
		if (this.socket.readyState !== WebSocket.OPEN) return null;
		this.send({ type: "goodbye", reason: "the person has left" });
		return new Promise((left) => { this.left = left; });
	}
}
