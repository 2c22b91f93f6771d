// The result of a finished game: what the table's page is told of it once it is over, and the picture to share.

const box = document.getElementById("result");

// Beside the board it scrolls, and says so as long as there is more of it.
const more = () => box.classList.toggle("more", box.scrollTop + box.clientHeight < box.scrollHeight - 8), sizes = new ResizeObserver(more);
box?.addEventListener("scroll", more, { passive: true });

// How the game came about goes round the ranks that the page shows already. It is told to one person, unless several share the screen.
export async function conclude({ table, mine }) {
  const answer = await fetch(`/result/${table}?part=1${mine.length === 1 ? `&seat=${mine[0]}` : ""}`);
  if (!answer.ok) return;
  const found = document.importNode(new DOMParser().parseFromString(await answer.text(), "text/html").body, true);
  for (const old of box.querySelectorAll(":scope > :is(.cheer, h2, .came-about)")) old.remove();
  box.prepend(...found.querySelectorAll(":scope > :is(.cheer, h2)"));
  document.getElementById("reasons").before(found.querySelector(".came-about"));
  for (const each of [box, ...box.children]) sizes.observe(each);
}

// As a PNG, which every messenger shows: handed to whatever the system shares with, else saved.
async function share(link) {
  const { png, save } = await import(link.dataset.keep);
  const { title, link: url, file } = link.dataset, blob = await png(await (await fetch(link.href)).text());
  const files = [new File([blob], file, { type: blob.type })];
  if (navigator.canShare?.({ files })) {
    await navigator.share({ files, title, text: `${title} ${url}` }).catch(() => {}); // who thinks better of it
    return;
  }
  save(blob, file);
  link.nextElementSibling.textContent = link.dataset.saved;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.(".share a[data-keep]");
  if (!link) return;
  event.preventDefault();
  share(link);
});
