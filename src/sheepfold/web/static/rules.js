// The contents of the rules say where the reader is: at the last section that begins above the middle of the window.

const links = new Map([...document.querySelectorAll(".contents a")].map((link) => [document.getElementById(link.hash.slice(1)), link]));
let here = null;

function mark() {
  const above = [...links.keys()].filter((heading) => heading.getBoundingClientRect().top < innerHeight / 2).at(-1);
  if (above === here) return;
  links.get(here)?.removeAttribute("aria-current");
  here = above;
  links.get(here)?.setAttribute("aria-current", "location");
}

// Beside the text the contents are open; above it they are folded, and fold again when one has chosen.
const wide = matchMedia("(min-width: 56.25em)"), list = document.querySelector(".contents details");
const fold = () => { if (list) list.open = wide.matches; };
for (const link of links.values()) link.addEventListener("click", fold);
wide.addEventListener("change", fold);
fold();

addEventListener("scroll", mark, { passive: true });
addEventListener("resize", mark);
mark();
