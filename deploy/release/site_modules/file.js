// file fetches NAME.gz and decompresses it: a plain file server does not tell the browser that the file is compressed.
export async function file(name) {
	const answer = await fetch(new URL(`${name}.gz`, import.meta.url)), type = answer.ok && "application/wasm";
	return new Response(answer.body.pipeThrough(new DecompressionStream("gzip")), { status: answer.status, headers: { "Content-Type": type } });
}
