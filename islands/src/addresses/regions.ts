// A province's cities as `getRegions` lists them.

export interface City {
  name: string;
  districts: string[];
}

/** The list in an answer. */
export function readCities(body: string): City[] {
  const answer = JSON.parse(body) as { data: { list: City[] } };
  return answer.data.list;
}

/** The districts of a city; none where it is not chosen. */
export function districtsOf(cities: readonly City[], city: string): readonly string[] {
  return cities.find(({ name }) => name === city)?.districts ?? [];
}
