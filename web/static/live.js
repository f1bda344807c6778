// One stream of server-sent events a page. It says when the arena cannot be reached, and heals.

const notice = document.getElementById("notice");

// say shows a sentence at the top of the page, or nothing.
export function say(text) {
  notice.textContent = text;
  notice.hidden = !text;
}

// The server sends something every ten seconds. Who hears nothing for longer has lost the connection
// without having been told, or has slept.
const silence = 25000; // milliseconds

// follow opens a stream and calls on[type] with the data of each event of that type. It reconnects
// until close is called, and tells the server the id of the last event. It returns {close}.
export function follow(url, on) {
  let source, timer, last = "", closed = false, wait = 500, heard = Date.now();

  const lost = () => {
    if (closed) return;
    source.close();
    heard = Date.now();
    say("The arena cannot be reached. This page goes on when it is back.");
    clearTimeout(timer);
    timer = setTimeout(open, wait);
    wait = Math.min(2 * wait, 5000);
  };

  const open = () => {
    if (closed) return;
    clearTimeout(timer);
    source?.close();
    heard = Date.now();
    const address = new URL(url, location.href);
    if (last) address.searchParams.set("seen", last);
    source = new EventSource(address);
    source.onopen = () => { say(""); wait = 500; heard = Date.now(); };
    source.onerror = lost;
    source.addEventListener("beat", () => { heard = Date.now(); });
    for (const type of Object.keys(on)) {
      source.addEventListener(type, (event) => {
        heard = Date.now();
        if (event.lastEventId) last = event.lastEventId;
        on[type](JSON.parse(event.data));
      });
    }
  };

  const watchdog = setInterval(() => { if (Date.now() - heard > silence) lost(); }, 2000);
  const online = () => { wait = 500; open(); };
  const close = () => {
    closed = true;
    clearTimeout(timer);
    clearInterval(watchdog);
    removeEventListener("online", online);
    source.close();
    say("");
  };
  open();
  addEventListener("online", online);
  addEventListener("offline", lost);
  addEventListener("pagehide", close, { once: true });
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  return { close };
}
