// The lobby and the page for a projector are renewed; the lobby goes on to its event.

import { follow } from "./live.js";
import { renewing } from "./page.js";

const { dataset: { follows, next } } = document.querySelector("[data-lobby]"), renew = renewing("[data-swap]");
if (follows) follow(follows, { state: ({ event }) => { event ? location.assign(next + event) : renew(); } });
