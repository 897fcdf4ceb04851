// A page as large as it was drawn, over the others: moved with a finger, the wheel or the bars.

/** Shows a picture; `alt` says what it is of. */
export function enlarge(address: string, alt: string): void {
  const dialog = document.createElement("dialog");
  dialog.className = "large";
  dialog.setAttribute("aria-label", alt);
  const picture = Object.assign(new Image(), { src: address, alt });
  const close = Object.assign(document.createElement("button"), { type: "button", className: "button small", textContent: "关闭" });
  close.addEventListener("click", () => dialog.close());
  picture.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  dialog.append(picture, close);
  document.body.append(dialog);
  dialog.showModal();
  // the middle of the page first
  picture.addEventListener("load", () => {
    dialog.scrollTo((dialog.scrollWidth - dialog.clientWidth) / 2, 0);
  });
}
