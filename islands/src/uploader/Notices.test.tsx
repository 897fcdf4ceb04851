import assert from "node:assert/strict";
import { test } from "node:test";
import { renderToStaticMarkup } from "react-dom/server";
import { Sending } from "./File.js";
import { Uploads } from "./Model.js";
import { Lacking, Made, Refused } from "./Notices.js";

const PROPS = { address: "/manager/uploads", picture: "", chunk: 1000, isGuests: false, label: "", hint: "", mostBytes: 1000, left: 10_000, noRoom: "", heic: "", inForm: true };

/** Photos whose small copies are there, and one that was refused before it had one. */
function uploads(): { model: Uploads; some: Sending[] } {
  const model = new Uploads(PROPS);
  const some = ["山.jpg", "海.jpg", "文.txt"].map((name, key) => new Sending(new File(["x"], name), key));
  for (const item of some.slice(0, 2)) item.photo.value = `photo-${item.key}`;
  some[2]?.refuse("这个文件不是照片");
  model.items.value = some;
  model.made.value = { address: "/manager/opus/1", photos: [...model.photos.value] };
  return { model, some };
}

const shown = (model: Uploads) =>
  [Made, Lacking, Refused].map((Notice) => renderToStaticMarkup(<Notice model={model} />).replace(/<[^>]+>/g, " "));

test("a work whose originals all came can be ordered", () => {
  const { model, some } = uploads();
  const [before] = shown(model);
  assert.match(before ?? "", /原图还在上传/);
  for (const item of some.slice(0, 2)) item.settle("taken", item.photo.value);
  const [made, lacking, refused] = shown(model);
  assert.match(made ?? "", /原图已经到齐，可以下单了/);
  assert.equal(lacking, "");
  assert.match(refused ?? "", /2 张已上传，.*1 个文件没有收下.*文\.txt：这个文件不是照片/);
});

test("a work that shows a small copy of a refused original names it, and can't be ordered", () => {
  const { model, some } = uploads();
  some[0]?.settle("taken", "photo-0");
  some[1]?.refuse("素材空间不足");
  const [made, lacking, refused] = shown(model);
  assert.doesNotMatch(made ?? "", /可以下单了/);
  assert.match(lacking ?? "", /1 张照片缺少原图.*海\.jpg：素材空间不足.*重新选择/);
  assert.doesNotMatch(refused ?? "", /海\.jpg/, "once is enough");
  // what is asked for now is another work
  model.made.value = null;
  assert.equal(shown(model)[1], "");
  assert.match(shown(model)[2] ?? "", /2 个文件没有收下/);
});

test("what was refused before the work was made is no part of it", () => {
  const { model, some } = uploads();
  some[1]?.refuse("素材空间不足");
  model.made.value = { address: "/manager/opus/2", photos: [...model.photos.value] };
  some[0]?.settle("taken", "photo-0");
  assert.match(shown(model)[0] ?? "", /可以下单了/);
});
