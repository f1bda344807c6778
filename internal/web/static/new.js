// The form of a new event: a press on a bot adds it to the list.

const bots = document.querySelector("[name=bot]");
for (const button of document.querySelectorAll("[data-add]")) {
	button.onclick = () => { bots.value = [...bots.value.split("\n").filter(Boolean), button.dataset.add].join("\n"); };
}
