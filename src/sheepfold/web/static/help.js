// Help when it is asked for: the rule for this decision, and what a thing on the board is. The rest is fetched then, not before.
const $ = (id) => document.getElementById(id), table = $("table"), asked = $("rule");
let scene = null;
table.addEventListener("lit", (event) => { ({ scene } = event.detail); asked.hidden = !scene.rule; });
const help = () => import(asked.dataset.script);
asked.addEventListener("click", async () => (await help()).open_rule(scene.rule));
$("tab-rules").addEventListener("click", async () => (await help()).go_to(scene.rule));
for (const kind of ["pointerover", "pointerdown", "focusin"]) {
  table.addEventListener(kind, async (event) => (await help()).near(event, kind), { passive: true });
}
