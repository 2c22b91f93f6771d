// Passkeys: a tap here, a tap on what the browser asks, and the games are kept, or found again.

const said = document.getElementById("passkey-said");
const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
const text = (raw) => btoa(String.fromCharCode(...new Uint8Array(raw))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

async function send(address, body) {
  const answer = await fetch(address, { method: "POST", headers: { "Content-Type": "application/json", Accept: "application/json" }, body: JSON.stringify(body ?? {}) });
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.problem);
  return told;
}

// Browsers want and give bytes, the server texts.
async function made(options) {
  const publicKey = { ...options, challenge: bytes(options.challenge), user: { ...options.user, id: bytes(options.user.id) }, excludeCredentials: options.excludeCredentials.map((each) => ({ ...each, id: bytes(each.id) })) };
  const key = await navigator.credentials.create({ publicKey });
  return { id: key.id, rawId: key.id, type: key.type, response: { clientDataJSON: text(key.response.clientDataJSON), attestationObject: text(key.response.attestationObject) } };
}
async function shown(options) {
  const key = await navigator.credentials.get({ publicKey: { ...options, challenge: bytes(options.challenge), allowCredentials: [] } });
  const { clientDataJSON, authenticatorData, signature, userHandle } = key.response;
  return { id: key.id, rawId: key.id, type: key.type, response: { clientDataJSON: text(clientDataJSON), authenticatorData: text(authenticatorData), signature: text(signature), ...(userHandle ? { userHandle: text(userHandle) } : {}) } };
}

const ways = { keep: ["/account/passkey", made], enter: ["/account/sign-in", shown] };
const reasons = { InvalidStateError: "known", NotAllowedError: "refused", AbortError: "refused", NotSupportedError: "unable", SecurityError: "unable", TypeError: "offline", SyntaxError: "offline" };

async function ask(button) {
  const [address, way] = ways[button.dataset.passkey];
  said.textContent = "";
  button.disabled = true;
  try {
    await send(address, await way(await send(`${address}/new`)));
    if (location.pathname === "/mine") location.reload(); else location.assign("/mine");
  } catch (error) {
    said.textContent = said.dataset[reasons[error.name]] ?? error.message;
    button.disabled = false;
  }
}

for (const button of document.querySelectorAll("[data-passkey]")) {
  if (window.PublicKeyCredential) {
    button.hidden = false;
    button.closest("[data-shown-with]")?.removeAttribute("hidden");
    button.addEventListener("click", () => ask(button));
  } else said.textContent = said.dataset.unable;
}

const print = document.getElementById("print");
if (print) {
  print.hidden = false;
  print.addEventListener("click", () => window.print());
}
