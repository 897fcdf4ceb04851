import { join } from "node:path";
import { PhotosPage } from "../../pages/PhotosPage.js";
import { allPicturesLoad, cells, difference, naturalSize } from "../../support/pictures.js";
import { ORIENTATIONS, hasOrientations } from "../../support/photos.js";
import { expect, test } from "../../support/test.js";

test("photos held in any of the eight ways stand upright", async ({ page, signedIn: _ }) => {
  test.skip(!hasOrientations, "needs the sample photos in ../shared/photos beside the checkout");
  const names = ["Landscape", "Portrait"].flatMap((kind) => [1, 2, 3, 4, 5, 6, 7, 8].map((way) => `${kind}_${way}.jpg`));
  const library = new PhotosPage(page);
  await library.open();
  await library.upload(names.map((name) => join(ORIENTATIONS, name)));
  await expect(library.photos).toHaveCount(16);
  expect(await allPicturesLoad(page.getByRole("main"))).toBe(16);

  const seen = new Map<string, number[]>();
  for (const name of names) {
    const picture = library.picture(name);
    const size = name.startsWith("Landscape") ? { width: 320, height: 213 } : { width: 213, height: 320 };
    expect(await naturalSize(picture), name).toEqual(size);
    seen.set(name, await cells(picture));
  }
  for (const name of names) {
    const upright = seen.get(name.replace(/\d/, "1")) ?? [];
    // turned or mirrored, the two are tens of steps apart
    expect(difference(seen.get(name) ?? [], upright), `${name} looks like the upright one`).toBeLessThan(6);
  }
});
