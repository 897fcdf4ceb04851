// The lists of a region in an address form: cities and districts follow the province without leaving the page. Without
// this script, and when the cities can't be fetched, the form's own button lists them.
import { type City, districtsOf, readCities } from "./addresses/regions.js";
import { forms } from "./runtime/http/clients.js";

for (const box of document.querySelectorAll<HTMLElement>("[data-regions]")) follow(box);

function follow(box: HTMLElement): void {
  const list = (name: string) => box.querySelector<HTMLSelectElement>(`[name=${name}]`);
  const [province, city, district] = [list("province"), list("city"), list("district")];
  const button = box.querySelector<HTMLButtonElement>("button");
  if (!province || !city || !district || !button) return;
  const status = document.createElement("p");
  status.className = "hint";
  status.setAttribute("role", "status");
  box.append(status);
  let cities: City[] = [];

  const load = async () => {
    const wanted = province.value;
    cities = [];
    status.textContent = wanted && "正在取城市…";
    if (!wanted) return;
    try {
      const { body } = await forms.get("/user-center/getRegions", { province: wanted });
      // the province may have been changed meanwhile
      if (province.value !== wanted) return;
      cities = readCities(body);
      // what was chosen meanwhile stays; where the page lists all districts, each stands behind its city's name
      const [behind, name] = district.value.split("/");
      fill(city, cities.map(({ name }) => name), name ? (behind ?? "") : city.value);
      fill(district, districtsOf(cities, city.value), name ?? behind);
      status.textContent = "";
      button.remove();
    } catch {
      if (province.value !== wanted) return;
      status.textContent = `没能取到城市，请点“${button.textContent.trim()}”`;
      box.append(button);
    }
  };

  // what was wrong with a choice says nothing of the next one
  box.addEventListener("change", ({ target }) => (target as Element).removeAttribute("aria-invalid"));
  province.addEventListener("change", () => {
    fill(city, []);
    fill(district, []);
    void load();
  });
  city.addEventListener("change", () => {
    fill(district, districtsOf(cities, city.value));
    if (cities.length === 0) void load();
  });
  button.remove();
  // without a chosen city the page lists the districts of all of them, which do until the answer comes
  if (province.value && !city.value) void load();
}

/** Puts names in a list behind its first, empty one, and chooses one of them: the only one, where there is no other. */
function fill(list: HTMLSelectElement, names: readonly string[], chosen = ""): void {
  const [none] = list.options;
  list.replaceChildren(...(none ? [none] : []), ...names.map((name) => new Option(name, name)));
  const only = names.length === 1 ? names[0] : undefined;
  list.value = only ?? (names.includes(chosen) ? chosen : "");
}
