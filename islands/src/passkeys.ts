// Passkeys (通行密钥): asks the browser for one, or to make one, and sends the answer in the form around the button. What stays
// hidden without this script is shown where the browser can; what says that it can't goes.
import { answerOf, type Asked, creation, request } from "./page/passkeys.js";

const FAILED = "没有完成。可以再试一次，或用其他方式。";
let waiting = new AbortController();

/** What the browser is to be asked: it stands in the page, or the server is asked for it. */
async function asked(form: HTMLFormElement): Promise<Asked> {
  const { options, ask } = form.dataset;
  if (options) return JSON.parse(options) as Asked;
  const answer = await fetch(ask ?? "", { method: "POST" });
  if (!answer.ok) throw new Error(`${answer.status}`);
  return (await answer.json()) as Asked;
}

/** Asks, and sends what comes of it. One question at a time: a new one ends the one before. */
async function run(form: HTMLFormElement, mediation?: CredentialMediationRequirement): Promise<void> {
  waiting.abort();
  const { signal } = (waiting = new AbortController());
  const options = await asked(form);
  const credential =
    form.dataset.passkey === "create"
      ? await navigator.credentials.create({ publicKey: creation(options), signal })
      : await navigator.credentials.get({ publicKey: request(options), signal, ...(mediation ? { mediation } : {}) });
  const field = form.querySelector<HTMLInputElement>("input[name=credential]");
  if (!credential || !field || signal.aborted) return;
  field.value = JSON.stringify(answerOf(credential as PublicKeyCredential));
  form.submit();
}

function start(form: HTMLFormElement): void {
  const button = form.querySelector("button");
  const said = form.querySelector<HTMLElement>("[role=status]");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (button) button.disabled = true;
    if (said) said.hidden = true;
    run(form)
      .catch(() => {
        if (!said) return;
        said.textContent = FAILED;
        said.hidden = false;
      })
      .finally(() => {
        if (button) button.disabled = false;
      });
  });
}

/** The account's field offers passkeys among what it knows, from the moment somebody comes to it. */
function offer(form: HTMLFormElement): void {
  const field = document.querySelector<HTMLInputElement>("input[autocomplete~=webauthn]");
  const begin = async (): Promise<void> => {
    if ("isConditionalMediationAvailable" in PublicKeyCredential && (await PublicKeyCredential.isConditionalMediationAvailable())) await run(form, "conditional");
  };
  field?.addEventListener("focus", () => void begin().catch(() => undefined), { once: true });
}

const can = "PublicKeyCredential" in window;
for (const part of document.querySelectorAll<HTMLElement>("[data-passkey]")) {
  if (can) part.hidden = false;
  else part.dataset.cannot = "";
  if (can && part instanceof HTMLFormElement && part.dataset.passkey !== "show") start(part);
  if (can && part instanceof HTMLFormElement && part.dataset.passkey === "get") offer(part);
}
if (can) for (const part of document.querySelectorAll<HTMLElement>("[data-passkey-not]")) part.hidden = true;
