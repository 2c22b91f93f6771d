// Replays of a report: unpacked when the first is opened; one is open at a time, a slider and two buttons lead through its turns.
const packed = document.getElementById("replays");
let unpacked;

async function unpack() {
  const bytes = Uint8Array.from(atob(packed.textContent), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const told = JSON.parse(await new Response(stream).text());
  document.body.insertAdjacentHTML("afterbegin", told.kit);
  return told;
}

function leadThrough(box) {
  const [stage, words, slider] = ["figure", ".told", "input"].map((what) => box.querySelector(what));
  const [back, on] = box.querySelectorAll("button");
  let turns = [];

  function show(turn) {
    const at = Math.max(0, Math.min(turns.length - 1, turn));
    const [tags, lines] = turns[at];
    stage.innerHTML = tags.map((number) => unpacked.pieces[number]).join("");
    words.textContent = lines.join(" ");
    slider.value = at;
    slider.setAttribute("aria-valuetext", `${at} / ${turns.length - 1}`);
    box.querySelector("output").textContent = `${at} / ${turns.length - 1}`;
    back.disabled = at === 0;
    on.disabled = at === turns.length - 1;
  }

  slider.addEventListener("input", () => show(Number(slider.value)));
  back.addEventListener("click", () => show(Number(slider.value) - 1));
  on.addEventListener("click", () => show(Number(slider.value) + 1));
  box.addEventListener("toggle", async () => {
    if (!box.open) {
      stage.innerHTML = ""; // things of two games have the same names
      return;
    }
    unpacked ??= await unpack();
    turns = unpacked.games[Number(box.dataset.game)];
    slider.max = turns.length - 1;
    show(Number(slider.value));
  });
}

document.querySelectorAll("details.replay").forEach(leadThrough);
