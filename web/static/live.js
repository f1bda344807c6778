// One stream of server-sent events a page. It says when the arena cannot be reached, and heals.

const notice = document.getElementById("notice");

// say shows a sentence at the top of the page, or nothing.
export function say(text) {
  notice.textContent = text;
  notice.hidden = !text;
}

// follow opens a stream and calls on[type] with the data of each event of that type. It reconnects
// until close is called: the browser tells the server the id of the last event. It returns {close}.
export function follow(url, on) {
  let source, timer, last = "", closed = false, wait = 1000;
  const open = () => {
    source = new EventSource(last ? `${url}${url.includes("?") ? "&" : "?"}seen=${encodeURIComponent(last)}` : url);
    source.onopen = () => { say(""); wait = 1000; };
    source.onerror = () => {
      if (closed) return;
      say("The arena cannot be reached. This page goes on when it is back.");
      if (source.readyState !== EventSource.CLOSED) return; // the browser tries again
      clearTimeout(timer);
      timer = setTimeout(open, wait);
      wait = Math.min(2 * wait, 10000);
    };
    for (const type of Object.keys(on)) {
      source.addEventListener(type, (event) => {
        if (event.lastEventId) last = event.lastEventId;
        on[type](JSON.parse(event.data));
      });
    }
  };
  open();
  const close = () => { closed = true; clearTimeout(timer); source.close(); say(""); };
  addEventListener("pagehide", close, { once: true });
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  return { close };
}
