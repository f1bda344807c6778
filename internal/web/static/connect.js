// The guide for bots: what the arena sees of one, as it happens.

import { follow } from "./live.js";
import { renew } from "./page.js";

const query = `bot=${encodeURIComponent(document.getElementById("seen").dataset.seen)}`;
if (location.pathname !== "/connect") history.replaceState(null, "", `/connect?${query}`); // after a token was made
follow(`/api/seen?${query}`, { seen: () => renew("#seen, #connected") });
