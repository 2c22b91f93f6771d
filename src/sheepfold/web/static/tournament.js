// The page of a tournament: every few seconds it asks whether anything has changed, and shows it. What is one's own comes with the page, so that
// is fetched when the round has changed.
const EVERY = 4000, MORE = 1500; // milliseconds, and up to so many by chance, so that a thousand do not come at once
let board = document.getElementById("standing");
let behind = false; // whether the page around it is of an earlier round

const now = () => board.firstElementChild;

async function look() {
  if (document.hidden) return;
  if (!("over" in now().dataset)) await lookAtBoard();
  if (behind) await whole();
}

async function lookAtBoard() {
  const answer = await fetch(board.dataset.url, { headers: { "If-None-Match": now().dataset.tag }, cache: "no-store" }).catch(() => null);
  if (answer?.status !== 200) return;
  const before = now().dataset.stage;
  put(board, await answer.text());
  behind ||= now().dataset.stage !== before;
}

// Whoever has a link under the finger or the keyboard keeps it.
function put(place, text) {
  const focused = place.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
  place.innerHTML = text;
  if (focused) [...place.querySelectorAll("a")].find((each) => each.getAttribute("href") === focused)?.focus({ preventScroll: true });
}

// Not while somebody types: nobody's words are taken away.
async function whole() {
  const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return;
  const main = document.getElementById("main"), fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("main");
  if (!fresh || main.querySelector("form:focus-within")) return;
  const open = new Set([...main.querySelectorAll("details[open] > summary")].map((each) => each.textContent));
  put(main, fresh.innerHTML);
  for (const each of main.querySelectorAll("details > summary")) each.parentElement.open = open.has(each.textContent);
  board = document.getElementById("standing");
  behind = false;
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
