// A puzzle by touch: tapping what a choice names as its targets, one after the other, is the same as its button. Without this script the
// buttons alone do it; keys and screen readers use them anyway.
const choices = [...document.querySelectorAll("#p-choices button")].map((button) => ({ button, targets: button.dataset.targets.split(" ").filter(Boolean) }));
const board = document.getElementById("p-board");
let path = [];

const along = (way) => choices.filter(({ targets }) => way.length <= targets.length && way.every((id, step) => targets[step] === id));

function show() {
  for (const marked of board.querySelectorAll(".can, .chosen")) marked.classList.remove("can", "chosen");
  for (const id of path) document.getElementById(id)?.classList.add("chosen");
  for (const { targets } of along(path)) document.getElementById(targets[path.length])?.classList.add("can");
  const left = new Set(along(path).map(({ button }) => button));
  for (const { button } of choices) button.closest("li").hidden = !left.has(button);
}

board.addEventListener("click", (event) => {
  const next = new Set(along(path).map(({ targets }) => targets[path.length]));
  const tapped = event.target.closest("[id]");
  let element = tapped;
  while (element && element !== board && !next.has(element.id)) element = element.parentElement?.closest("[id]");
  if (!element || !next.has(element.id)) {
    path = [];
    show();
    return;
  }
  path.push(element.id);
  const done = along(path);
  if (done.length === 1 && done[0].targets.length === path.length) done[0].button.click();
  else show();
});

show();
document.getElementById("verdict")?.focus();
