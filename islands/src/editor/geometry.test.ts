import assert from "node:assert/strict";
import { test } from "node:test";
import { boundsOf, cornersOf, hundredth, resized, steered, tidyAngle } from "./geometry.js";

const FRAME = { x: 10, y: 20, width: 60, height: 20 };
const near = (one: number, other: number) => assert.ok(Math.abs(one - other) < 1e-9, `${one} is not ${other}`);

test("a frame on its side has its sides exchanged", () => {
  assert.deepEqual(boundsOf(FRAME, 90), { x: 30, y: 0, width: 20, height: 60 });
  assert.equal(boundsOf(FRAME, 0), FRAME);
});

test("what lies opposite a pulled handle stays where it is, turned or not", () => {
  for (const rotation of [0, 30, 90, -145]) {
    const pulls = [[-1, -1, 2], [1, -1, 3], [1, 1, 0], [-1, 1, 1]] as const;
    for (const [across, down, opposite] of pulls) {
      const after = resized(FRAME, rotation, { across, down }, { x: 3, y: -2 });
      const [was, is] = [cornersOf(FRAME, rotation)[opposite], cornersOf(after, rotation)[opposite]];
      assert.ok(was && is);
      near(was.x, is.x);
      near(was.y, is.y);
    }
  }
});

test("a corner keeps the shape, from the centre the centre, and no side gets lost", () => {
  const shaped = resized(FRAME, 0, { across: 1, down: 1 }, { x: 30, y: 1 }, { keepsShape: true });
  near(shaped.width / shaped.height, 3);
  near(shaped.width, 90);
  const centred = resized(FRAME, 0, { across: 1, down: 0 }, { x: 5, y: 0 }, { fromCentre: true });
  assert.deepEqual(centred, { x: 5, y: 20, width: 70, height: 20 });
  assert.equal(resized(FRAME, 0, { across: 1, down: 0 }, { x: -500, y: 0 }).width, 1);
});

test("angles are whole, by fifteen with Shift, right by touch", () => {
  assert.equal(steered(44.6, {}), 45);
  assert.equal(steered(44.6, { steps: true }), 45);
  assert.equal(steered(37, { steps: true }), 30);
  assert.equal(steered(86, { draws: true }), 90);
  assert.equal(steered(84, { draws: true }), 84);
  assert.deepEqual([270, -190, 360, 180, -180].map(tidyAngle), [-90, 170, 0, 180, 180]);
  assert.equal(hundredth(1 / 3), 0.33);
});
