// Issues out of many files: each is sent by itself, with how far it is, and days that are there are not sent at all. What was broken
// off goes on with the same files. Without it a form takes some files at once.
export {};

const form = document.querySelector<HTMLFormElement>("form[data-archive]");
const list = document.querySelector<HTMLOListElement>("[data-outcomes]");
if (form && list) begin(form, list);

function begin(form: HTMLFormElement, list: HTMLOListElement): void {
  const input = form.querySelector<HTMLInputElement>("input[type=file]");
  const button = form.querySelector<HTMLButtonElement>("button.primary");
  if (input && button) take(form, list, input, button);
}

function take(form: HTMLFormElement, list: HTMLElement, input: HTMLInputElement, button: HTMLButtonElement): void {
  form.querySelector("[data-without-script]")?.remove();
  const known = new Set(form.dataset.archive?.split(" "));
  const word = button.textContent;
  let sending = false;

  form.addEventListener("submit", (event) => {
    const files = [...(input.files ?? [])].sort((one, other) => (one.name < other.name ? -1 : 1));
    if (sending) event.preventDefault();
    if (sending || files.length < 2) return;
    event.preventDefault();
    void sendAll(files);
  });
  addEventListener("beforeunload", (event) => {
    if (sending) event.preventDefault();
  });

  async function sendAll(files: File[]): Promise<void> {
    sending = true;
    list.replaceChildren();
    for (const [index, file] of files.entries()) {
      button.textContent = `正在建 ${index + 1} / ${files.length}`;
      const day = dayIn(file.name);
      if (day && known.has(day)) {
        row(file.name, `${day} 已经有一期了，没有再建`, "taken");
        continue;
      }
      if (!(await send(file))) break;
      if (day && !list.lastElementChild?.matches(".refused")) known.add(day);
    }
    sending = false;
    button.textContent = word;
  }

  /** Sends one; false where it makes no sense to go on. */
  async function send(file: File): Promise<boolean> {
    const body = new FormData(form);
    body.set("file", file);
    try {
      const answer = await fetch(form.action, { method: "POST", body });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const rows = page.querySelectorAll("[data-outcomes] > li");
      list.append(...rows);
      if (rows.length) return true;
      row(file.name, page.querySelector("main")?.textContent.trim().slice(0, 100) ?? "服务器没有收下", "refused");
    } catch {
      row(file.name, "连接断了：选同样的文件再开始，会从这里接着建", "refused");
    }
    return false;
  }

  function row(name: string, said: string, kind: string): void {
    const item = document.createElement("li");
    const strong = document.createElement("strong");
    item.className = kind;
    strong.textContent = name;
    item.append(strong, ` ${said}`);
    list.append(item);
  }
}

/** The day in a name, as the server reads it from the commonest ones; it looks at all of them again. */
function dayIn(name: string): string | undefined {
  const [, year, month, day] = /(?:^|\D)(\d{4})[-._]?(\d{2})[-._]?(\d{2})(?!\d)/.exec(name) ?? [];
  return year && `${year}-${month}-${day}`;
}
