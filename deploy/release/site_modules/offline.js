// Keeps all files of the site for visits without a network. The generator of the site puts two constants in front of
// this code: build, the name of the cache, and files, the names of the files.

addEventListener("install", (event) => event.waitUntil((async () => {
	const cache = await caches.open(build);
	await cache.addAll(files.map((file) => new Request(file, { cache: "reload" })));
})()));

addEventListener("activate", (event) => event.waitUntil((async () => {
	for (const name of await caches.keys()) if (name !== build && name !== "tables") await caches.delete(name);
})()));

// answer returns the kept file of a request, and fetches a file that is not kept. A browser rejects a redirected answer
// of a service worker for a page, so answer copies such an answer.
async function answer(request) {
	const kept = await caches.match(request, { cacheName: build, ignoreSearch: true }) ?? await fetch(request);
	return kept.redirected ? new Response(kept.body, kept) : kept;
}

addEventListener("fetch", (event) => { if (event.request.method === "GET") event.respondWith(answer(event.request)); });
