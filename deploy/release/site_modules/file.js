// file fetches a file that was compressed by gzip: servers of files send it as it is.
export async function file(name) {
	const answer = await fetch(new URL(`${name}.gz`, import.meta.url)), type = answer.ok && "application/wasm";
	return new Response(answer.body.pipeThrough(new DecompressionStream("gzip")), { status: answer.status, headers: { "Content-Type": type } });
}
