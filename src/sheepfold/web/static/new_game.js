// The set-up page: seats that do not exist and fields that mean nothing are hidden. Without this script all are shown, and the extra ones ignored.
const form = document.getElementById("setup");

function arrange() {
  const count = Number(new FormData(form).get("seats"));
  for (const seat of form.querySelectorAll(".seat")) {
    const number = Number(seat.dataset.seat);
    seat.hidden = number >= count;
    const kind = seat.querySelector(`[name=kind${number}]`).value;
    seat.querySelector(`[name=level${number}]`).hidden = kind !== "bot";
    const name = seat.querySelector(`[name=name${number}]`);
    name.hidden = kind === "open";
    const { me, bot } = name.dataset; // what they are called who were not given a name
    if (kind === "me" && name.value === bot) name.value = me;
    if (kind === "bot" && name.value === me) name.value = bot;
    seat.querySelector(".by-link").hidden = kind !== "open";
  }
  for (const option of form.querySelectorAll(".option")) {
    const seats = option.dataset.seats.split(" ").filter(Boolean).map(Number);
    option.hidden = seats.length > 0 && !seats.includes(count);
    for (const value of option.querySelectorAll("[data-seat]")) value.hidden = Number(value.dataset.seat) > count;
  }
}

// A component file is put into its field, where it can still be seen and changed.
document.getElementById("components-file")?.addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  if (!file) return;
  form.elements["components"].value = await file.text();
  form.elements["components-name"].value = file.name;
});
form.addEventListener("change", arrange);
arrange();
