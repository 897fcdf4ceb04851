// A guest's photos go one by one, so that a weak line costs no more than the one that was on its way; what the server does not take
// is sent as the form would, and its page says why. Without this script the form sends all at once.
const form = document.querySelector<HTMLFormElement>("form[data-guests]");
const input = form?.querySelector<HTMLInputElement>("input[type=file]");
const told = form?.querySelector<HTMLOutputElement>("output");

/** Pauses before a line that broke is tried again, in ms. */
const PAUSES = [1000, 3000, 10000, 30000];

if (form && input && told) {
  form.addEventListener("submit", (event) => {
    const files = [...(input.files ?? [])];
    if (files.length === 0 || form.dataset.sending) return;
    event.preventDefault();
    form.dataset.sending = "1";
    for (const button of form.querySelectorAll("button")) button.disabled = true;
    void sendAll(form, input, told, files);
  });
}

async function sendAll(form: HTMLFormElement, input: HTMLInputElement, told: HTMLOutputElement, files: File[]): Promise<void> {
  const words = new FormData(form);
  words.delete(input.name);
  const left = new DataTransfer();
  let taken = 0;
  for (const [index, file] of files.entries()) {
    told.value = `正在发第 ${index + 1} 张，共 ${files.length} 张`;
    if (await send(form.action, words, input.name, file, told)) taken += 1;
    else left.items.add(file);
  }
  const address = new URL(form.action);
  if (left.files.length === 0) {
    address.search = `?sent=${taken}`;
    address.hash = "#sent";
    location.assign(address);
    return;
  }
  input.files = left.files;
  form.submit();
}

/** Whether the server took a file. A line that breaks is tried again as long as the page is open. */
async function send(action: string, words: FormData, name: string, file: File, told: HTMLOutputElement): Promise<boolean> {
  for (let round = 0; ; round += 1) {
    const body = new FormData();
    for (const [key, value] of words) body.append(key, value);
    body.append(name, file, file.name);
    const answer = await fetch(action, { method: "POST", body, redirect: "manual" }).catch(() => undefined);
    if (answer?.type === "opaqueredirect") return true;
    if (answer && answer.status < 500) return false;
    // no room, which no pause brings
    if (answer?.status === 507) return false;
    const pause = PAUSES[Math.min(round, PAUSES.length - 1)] ?? 0;
    told.value = `网络断了，${pause / 1000} 秒后接着发；已经发到的都在`;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

export {};
