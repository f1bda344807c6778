// Texts of numbers and times.

export const number = (n) => String(n).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");

// clock writes milliseconds as 1:05, or 4.2 below ten seconds.
export function clock(ms) {
	const s = Math.max(0, ms) / 1000;
	if (s < 10) return s.toFixed(1);
	return `${Math.floor(s / 60)}:${String(Math.floor(s % 60)).padStart(2, "0")}`;
}

// localise writes the times of a page in the reader's own time zone.
export function localise(root = document) {
	for (const time of root.querySelectorAll("time[datetime]")) {
		const at = new Date(time.dateTime);
		time.title = time.textContent;
		time.textContent = at.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
	}
}

// milliseconds writes microseconds as 0.42 ms, 42 ms or 4.2 s.
export function milliseconds(us) {
	if (us >= 1e6) return `${(us / 1e6).toFixed(1)} s`;
	return `${us >= 1e4 ? Math.round(us / 1e3) : (us / 1e3).toFixed(us >= 1e3 ? 1 : 2)} ms`;
}
