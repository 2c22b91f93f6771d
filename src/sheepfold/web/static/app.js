// On every page: the worker that makes Sheepfold an app, where the browser has such a thing and the address is a secure one.
navigator.serviceWorker?.register("/worker.js").catch(() => {});

// The page that says there is no network goes away by itself when there is one again.
async function look() {
  const answer = await fetch("/health").catch(() => null);
  if (answer?.ok) location.reload();
}
if (document.getElementById("offline")) {
  addEventListener("online", look);
  setInterval(look, 3000);
}
