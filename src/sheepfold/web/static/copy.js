// A button that copies what a field holds; and one that hands it to whatever the system shares with.
for (const button of document.querySelectorAll(".copy")) button.addEventListener("click", async () => {
  const field = document.getElementById(button.dataset.copy);
  field.select();
  try { await navigator.clipboard.writeText(field.value); } catch { document.execCommand("copy"); }
  button.textContent = button.dataset.copied;
});

const share = document.getElementById("share");
if (share && navigator.share) {
  share.hidden = false;
  share.addEventListener("click", () => navigator.share({ title: share.dataset.title, url: share.dataset.share }).catch(() => {})); // who thinks better of it
}
