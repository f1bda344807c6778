// The guide for authors of bots. It shows a bot's actions.

import { follow } from "./live.js";
import { renewing } from "./page.js";

const query = `bot=${encodeURIComponent(document.getElementById("seen").dataset.seen)}`;
if (location.pathname !== "/connect") history.replaceState(null, "", `/connect?${query}`); // after a token was made
follow(`/api/seen?${query}`, { seen: renewing("#seen, #connected") });
