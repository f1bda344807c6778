// Pages that are lists: times in the reader's own zone.

import { localise } from "./moment.js";

localise();
