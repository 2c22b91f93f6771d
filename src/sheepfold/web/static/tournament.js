// The page of a tournament: every few seconds it asks whether anything has changed, and shows it. What is one's own comes with the page, so that
// is fetched when the round has changed.
const EVERY = 4000, MORE = 1500; // milliseconds, and up to so many by chance, so that a thousand do not come at once
let board = document.getElementById("standing");

const now = () => board.firstElementChild;

async function look() {
  if (document.hidden || "over" in now().dataset) return;
  const answer = await fetch(board.dataset.url, { headers: { "If-None-Match": now().dataset.tag }, cache: "no-store" }).catch(() => null);
  if (answer?.status !== 200) return;
  const before = now().dataset.stage;
  put(board, await answer.text());
  if (now().dataset.stage !== before) await whole();
}

// Whoever has a link under the finger or the keyboard keeps it.
function put(place, text) {
  const focused = place.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  place.innerHTML = text;
  if (focused) [...place.querySelectorAll("a")].find((each) => each.getAttribute("href") === focused)?.focus({ preventScroll: true });
}

async function whole() {
  const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return;
  const main = document.getElementById("main"), fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("main");
  if (!fresh || main.querySelector("form:focus-within, details[open]")) return tell(); // nobody's words are taken away
  put(main, fresh.innerHTML);
  board = document.getElementById("standing");
  tell();
}

function tell() {
  const line = document.getElementById("followed");
  line.textContent = line.dataset.changed;
}

(async () => {
  for (;;) {
    await new Promise((done) => setTimeout(done, EVERY + Math.random() * MORE));
    await look();
  }
})();
document.addEventListener("visibilitychange", look);
