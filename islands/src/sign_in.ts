// The sign-in page remembers which way was chosen and which account was typed (specification section 2, "Login area"),
// never a password. Without it the page begins with the QR code and empty fields.
import { choice, isKept } from "./page/sign_in.js";
import { read, write } from "./runtime/storage.js";

const NAME = "door";

const value = read(NAME);
const kept = isKept(value) ? value : { way: "", account: "" };
const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
const { way, leave } = choice(kept.way, {
  asked: new URLSearchParams(location.search).get("way"),
  refused: document.querySelector("#errors") !== null,
  returned: visit?.type === "back_forward",
});

if (leave) {
  const place = new URL(location.href);
  place.searchParams.set("way", way);
  location.replace(place);
} else {
  const state = { way, account: kept.account };
  if (state.way !== kept.way) write(NAME, state);
  const field = document.querySelector<HTMLInputElement>("input[name=account], input[name=contact]:not([type=hidden])");
  if (field?.value === "") field.value = state.account;
  field?.addEventListener("change", () => {
    state.account = field.value.trim();
    write(NAME, state);
  });
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>("a[data-way]") : null;
    if (link) write(NAME, { ...state, way: link.dataset.way ?? "" });
  });
  // who has the code is nearly in: the next visit begins where every visit begins
  document.addEventListener("submit", (event) => {
    if (event.submitter?.getAttribute("value") === "finish") write(NAME, { ...state, way: "" });
  });
}
