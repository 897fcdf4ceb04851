// A guest's page: when photos are chosen, the island is loaded that sends them in pieces. What is sent before it is there waits for
// it; where it can't come, the form sends all at once, as it does without scripts.
const form = document.querySelector<HTMLFormElement>("form[data-guests]");
const host = form?.querySelector<HTMLElement>("react-island");
const told = form?.querySelector<HTMLOutputElement>("output");

// a browser that keeps nothing is somebody else with each request
if (form && host && told && navigator.cookieEnabled) {
  form.addEventListener("submit", (event) => {
    const plain = host.querySelector<HTMLInputElement>("input[name=photos]");
    if (!plain?.files?.length || isLeft(host)) return;
    event.preventDefault();
    told.value = "正在准备…";
    const watch = new MutationObserver(() => {
      if (plain.isConnected && !isLeft(host)) return;
      watch.disconnect();
      told.value = "";
      form.requestSubmit();
    });
    watch.observe(host, { childList: true, subtree: true, attributeFilter: ["data-left"] });
  });
  void import("./runtime/element.js").catch(() => {
    host.dataset.left = "";
  });
}

/** Whether the island could not be loaded. */
function isLeft(host: HTMLElement): boolean {
  return host.dataset.left !== undefined;
}

export {};
