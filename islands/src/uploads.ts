// Forms with data-upload: the same multipart form, with a progress in bytes and files. Without this script the form
// is sent by the browser itself.
import { next, report } from "./page/transfer.js";

document.addEventListener("submit", (event) => {
  const form = event.target as HTMLFormElement;
  if (!form.matches("[data-upload]")) return;
  const sizes = [...form.querySelectorAll<HTMLInputElement>("input[type=file]")]
    .flatMap((input) => [...(input.files ?? [])])
    .map((file) => file.size);
  if (sizes.length === 0) return;
  event.preventDefault();
  if (form.getAttribute("aria-busy") === "true") return;
  send(form, new FormData(form, event.submitter), sizes);
});

function send(form: HTMLFormElement, body: FormData, sizes: number[]): void {
  const request = new XMLHttpRequest();
  const bar = Object.assign(document.createElement("progress"), { max: 1, value: 0 });
  bar.setAttribute("aria-label", "上传进度");
  const text = Object.assign(document.createElement("p"), { className: "hint num" });
  const cancel = Object.assign(document.createElement("button"), {
    type: "button",
    className: "button",
    textContent: "取消上传",
  });
  const box = Object.assign(document.createElement("div"), { className: "sending" });
  text.setAttribute("role", "status");
  box.append(bar, text, cancel);

  const buttons = [...form.querySelectorAll<HTMLButtonElement>("button:not([type=button]):enabled")];
  const working = (on: boolean) => {
    form.setAttribute("aria-busy", String(on));
    for (const button of buttons) button.disabled = on;
    // beside the button: an action bar that stays in view keeps the progress in view, too
    if (on) (buttons[0]?.parentElement ?? form).prepend(box);
    else box.remove();
  };
  const fail = (message: string) => {
    working(false);
    form.querySelector(":scope > .notice")?.remove();
    const notice = Object.assign(document.createElement("p"), { className: "notice bad", textContent: message });
    notice.setAttribute("role", "alert");
    form.prepend(notice);
    notice.scrollIntoView({ block: "nearest" });
  };

  cancel.addEventListener("click", () => request.abort());
  request.upload.addEventListener("progress", ({ loaded, total }) => {
    bar.value = total ? loaded / total : 0;
    text.textContent = report(sizes, loaded, total);
    // with every byte sent there is nothing left to cancel
    cancel.hidden = loaded >= total;
  });
  request.addEventListener("abort", () => fail("上传已取消，选好的照片还在，可以再传"));
  request.addEventListener("error", () => fail("请求失败，请重试"));
  request.addEventListener("load", () => {
    const what = next(request.status, request.responseURL, location.href);
    if (what === "fail") fail("请求失败，请重试");
    else if (what === "go") location.assign(request.responseURL);
    else show(request.responseText, request.responseURL);
  });

  request.open("POST", form.action);
  request.setRequestHeader("Accept", "text/html");
  working(true);
  request.send(body);
}

/** Puts the answer's content in the place of this page's, and the reader's attention on what it says. */
function show(html: string, address: string): void {
  const answer = new DOMParser().parseFromString(html, "text/html");
  const main = answer.querySelector("main");
  const old = document.querySelector("main");
  if (!main || !old) {
    location.assign(address);
    return;
  }
  document.title = answer.title;
  history.replaceState(null, "", address);
  old.replaceWith(main);
  scrollTo(0, 0);
  (main.querySelector<HTMLElement>("#errors") ?? main).focus();
}
