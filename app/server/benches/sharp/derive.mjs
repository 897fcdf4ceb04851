// Makes the program's three sizes of every file named, upright and without metadata, with as many files at once as there
// are cores: `node derive.mjs OUT FILE…`
import { availableParallelism } from "node:os";
import { basename, join } from "node:path";
import sharp from "sharp";

const [out, ...files] = process.argv.slice(2);
const cores = availableParallelism();
// one thread a file, as the program does it
sharp.concurrency(1);
sharp.cache(false);
const sizes = [
  [2048, 2],
  [1280, 2],
  [320, 4],
];

async function derive(file) {
  // decoded once; each size is made of the pixels of the largest
  let pixels = await sharp(file).rotate().resize(2048, 2048, { fit: "inside", withoutEnlargement: true }).raw().toBuffer({ resolveWithObject: true });
  for (const [size, effort] of sizes) {
    const from = sharp(pixels.data, { raw: pixels.info });
    const name = join(out, `${basename(file, ".jpg")}-${size}.webp`);
    await from.resize(size, size, { fit: "inside", withoutEnlargement: true }).webp({ quality: 80, effort }).toFile(name);
  }
}

const queue = files[Symbol.iterator]();
await Promise.all(
  Array.from({ length: cores }, async () => {
    for (const file of queue) await derive(file);
  }),
);
