// What an order costs follows the address that is chosen or begun, so that it is seen before one press orders. Without this script,
// and when the page can't be fetched, the next press shows it.
const PARTS = ["sums", "to-pay"];

for (const form of document.querySelectorAll<HTMLFormElement>("form[data-sums]")) follow(form);

function follow(form: HTMLFormElement): void {
  let asked = 0;
  const value = (name: string) => {
    const sent = new FormData(form).get(name);
    return typeof sent === "string" ? sent : "";
  };

  async function look(): Promise<void> {
    const mine = ++asked;
    const query = new URLSearchParams({ address: value("address"), province: value("province"), coupon: value("coupon") });
    const answer = await fetch(`${form.action}?${query}`, { headers: { accept: "text/html" } }).catch(() => undefined);
    // what was chosen later is newer, and a page that was led elsewhere has no sums
    if (!answer?.ok || answer.redirected || mine !== asked) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (mine !== asked) return;
    for (const id of PARTS) {
      const [now, then] = [document.getElementById(id), page.getElementById(id)];
      if (now && then) now.replaceWith(document.adoptNode(then));
    }
  }

  form.addEventListener("change", ({ target }) => {
    const name = target instanceof HTMLInputElement || target instanceof HTMLSelectElement ? target.name : "";
    if (name === "address" || (name === "province" && value("address") === "new")) void look();
  });
}
