// Help when it is asked for: the rule for this decision, and what a thing on the board is. The rest is fetched then, not before.
const $ = (id) => document.getElementById(id), table = $("table"), asked = $("rule");
let scene = null;
table.addEventListener("lit", (event) => { ({ scene } = event.detail); asked.hidden = !scene.rule; });
const help = () => import(asked.dataset.script);
asked.addEventListener("click", async () => (await help()).open_rule(scene.rule));
$("tab-rules").addEventListener("click", async () => (await help()).go_to(scene.rule));
// A finger may be up again before the rest has come: then it was a tap, and nothing is to be said.
let held = null;
for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, () => { held = null; }, true);
for (const kind of ["pointerover", "pointerdown", "focusin"]) {
  table.addEventListener(kind, async (event) => {
    if (kind === "pointerdown") held = event;
    const { near } = await help();
    if (kind !== "pointerdown" || held === event || event.pointerType === "mouse") near(event, kind);
  }, { passive: true });
}
