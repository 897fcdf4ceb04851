import assert from "node:assert/strict";
import { test } from "node:test";
import { districtsOf, readCities } from "./regions.js";

test("districts are those of the chosen city", () => {
  const body = '{"status":1,"data":{"list":[{"name":"杭州市","districts":["上城区","西湖区"]},{"name":"宁波市","districts":["海曙区"]}]}}';
  const cities = readCities(body);
  assert.deepEqual(districtsOf(cities, "杭州市"), ["上城区", "西湖区"]);
  assert.deepEqual(districtsOf(cities, "宁波市"), ["海曙区"]);
  assert.deepEqual(districtsOf(cities, ""), []);
});
