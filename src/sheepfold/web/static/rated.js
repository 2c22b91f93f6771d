// At a rated table: who plays and what it came to is asked for again when that may have changed; a hint is not taken by mistake.
const table = document.getElementById("table"), result = document.getElementById("result");
const parts = [...document.querySelectorAll(".rated")];
const TRIES = 40, PAUSE = 1500;
let asked = null, tries = 0;

async function ask() {
  asked = null;
  let text = "";
  try {
    const answer = await fetch(`${table.dataset.url}/rated`);
    if (answer.ok) text = await answer.text();
  } catch { /* it is asked again with the next change */ }
  if (text) for (const part of parts) part.innerHTML = text;
  if (!result.hidden && (!text || parts[0].querySelector("[data-again]")) && tries++ < TRIES) later();
}

function later() { asked ??= setTimeout(ask, PAUSE); }

const changes = new MutationObserver(() => { tries = 0; later(); });
changes.observe(document.getElementById("players"), { childList: true });
changes.observe(result, { attributeFilter: ["hidden"] });
changes.observe(table, { attributeFilter: ["data-rated"] });
later();

for (const name of ["hint", "undo"]) document.getElementById(name).addEventListener("click", (event) => {
  const sure = event.currentTarget.getAttribute("aria-disabled") === "true" || table.dataset.rated !== "on" || confirm(parts[0].dataset.sure);
  if (!sure) event.stopImmediatePropagation();
}, { capture: true });
