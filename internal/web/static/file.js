// file fetches a file, by its address seen from here.
export const file = (name) => fetch(new URL(name, import.meta.url));
