// Keeps all files of the site for visits without a network. The generator puts their names and the cache's
// before this.

addEventListener("install", (event) => event.waitUntil((async () => {
	const cache = await caches.open(build);
	await cache.addAll(files.map((file) => new Request(file, { cache: "reload" })));
})()));

addEventListener("activate", (event) => event.waitUntil((async () => {
	for (const name of await caches.keys()) if (name !== build && name !== "tables") await caches.delete(name);
})()));

// answer returns the kept file of a request. Browsers take no page that the server redirected.
async function answer(request) {
	const kept = await caches.match(request, { cacheName: build, ignoreSearch: true }) ?? await fetch(request);
	return kept.redirected ? new Response(kept.body, kept) : kept;
}

addEventListener("fetch", (event) => { if (event.request.method === "GET") event.respondWith(answer(event.request)); });
