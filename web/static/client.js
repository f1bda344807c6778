// The protocol of docs/PROTOCOL.md in the browser: a bot whose moves a person chooses.

const retry = 1000; // milliseconds between tries to come back

export class Client {
  // on has a function for each type of message of the arena, and lost, back and closed.
  constructor(name, token, on) {
    Object.assign(this, { name, token, on, games: 0, open: false, done: false });
    this.connect();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.socket = new WebSocket(`${scheme}//${location.host}/bot`, "versus2048.v1");
    this.socket.onopen = () => this.send({ type: "hello", name: this.name, token: this.token, author: "a person", slots: 1 });
    this.socket.onmessage = (event) => this.take(JSON.parse(event.data));
    this.socket.onclose = () => this.lost();
  }

  send(message) { if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message)); }

  take(message) {
    if (message.type === "welcome") {
      this.grace = message.grace_ms;
      if (this.away) this.on.back?.();
      this.away = 0;
    }
    if (message.type === "refusal" || message.type === "goodbye" && !message.reconnect) this.done = true;
    if (message.type === "request") this.asked = { game: message.game, ply: message.ply, at: performance.now() };
    if (message.type === "over" && this.asked?.game === message.game) this.asked = null;
    this.on[message.type]?.(message);
  }

  // lost tries to come back until the arena has given up the game.
  lost() {
    if (this.done) return void this.on.closed?.();
    this.away ||= performance.now();
    if (performance.now() - this.away > (this.grace ?? 0)) {
      this.done = true;
      return void this.on.closed?.("The arena cannot be reached, and the game is lost.");
    }
    this.on.lost?.();
    setTimeout(() => this.connect(), retry);
  }

  // move answers the open request. It reports whether there was one.
  move(move) {
    if (!this.asked) return false;
    const spent = Math.round(1000 * (performance.now() - this.asked.at));
    this.send({ type: "move", game: this.asked.game, ply: this.asked.ply, move, spent_us: spent });
    this.asked = null;
    return true;
  }

  resign() {
    if (!this.asked) return false;
    this.send({ type: "resign", game: this.asked.game, ply: this.asked.ply });
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

// post sends a value as JSON and returns the answer's. It throws an Error in the arena's words.
export async function post(path, value) {
  const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(value) });
  const body = await answer.json().catch(() => ({ error: `the arena answered ${answer.status}` }));
  if (!answer.ok) throw new Error(body.error);
  return body;
}
