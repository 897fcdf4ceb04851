// What is said where somebody pressed a button that can't do yet what it says.

/** Says something beside a button, read out; nothing takes it away again. */
export function sayBeside(button: HTMLElement | null | undefined, words: string): void {
  const bar = button?.closest("form")?.querySelector(".actionbar") ?? button?.parentElement;
  let said = bar?.querySelector<HTMLElement>("[data-beside]");
  if (said?.textContent === words) return;
  if (!said) {
    if (!words) return;
    said = Object.assign(document.createElement("p"), { className: "beside" });
    said.dataset.beside = "";
    said.setAttribute("role", "status");
    bar?.prepend(said);
  }
  said.textContent = words;
}
