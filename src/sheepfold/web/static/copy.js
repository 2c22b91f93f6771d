// A button that copies what a field holds.
for (const button of document.querySelectorAll(".copy")) button.addEventListener("click", async () => {
  const field = document.getElementById(button.dataset.copy);
  field.select();
  try { await navigator.clipboard.writeText(field.value); } catch { document.execCommand("copy"); }
  button.textContent = button.dataset.copied;
});
