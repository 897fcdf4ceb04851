// Photos made on the spot: no two of `photo` have the same bytes, and top, bottom, left and right can be told apart.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import jpeg from "jpeg-js";

/** A file as Playwright's `setInputFiles` takes it. */
export interface File {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

let made = 0;

/** Whole numbers below 2^32 that no other seed gives in this order. */
function chance(seed: number): () => number {
  let state = Math.imul(seed, 2_654_435_761) + process.pid;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0);
}

/** A JPEG of this size: a sky that fades, a dark ground, a bright disc on the left, and clouds that no other has. */
export function photo(name: string, width: number, height: number): File {
  made += 1;
  const hue = (made * 47 + process.pid) % 200;
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  const disc = Math.min(width, height) / 6;
  // a photo that only repeats another's shapes is taken for a copy of it
  const next = chance(made);
  const clouds = Array.from({ length: 64 }, () => (next() >>> 24) / 2 - 64);
  for (let y = 0, at = 0; y < height; y += 1) {
    const onGround = y > height * 0.7;
    const row = Math.floor((y * 8) / height) * 8;
    for (let x = 0; x < width; x += 1, at += 4) {
      const inDisc = Math.hypot(x - width / 4, y - height / 4) < disc;
      const cloud = inDisc ? 0 : (clouds[row + Math.floor((x * 8) / width)] ?? 0);
      pixels[at] = (inDisc ? 250 : onGround ? 40 : hue) + cloud;
      pixels[at + 1] = (inDisc ? 220 : onGround ? 60 + (x * 60) / width : 120 + (y * 100) / height) + cloud;
      pixels[at + 2] = (inDisc ? 120 : onGround ? 50 : 255 - hue) + cloud;
    }
  }
  const { data } = jpeg.encode({ data: Buffer.from(pixels.buffer), width, height }, 85);
  return { name, mimeType: "image/jpeg", buffer: data };
}

/** The same picture in another file: a comment more behind its beginning. */
export function twin({ buffer, mimeType }: File, name: string): File {
  const comment = Buffer.from([0xff, 0xfe, 0x00, 0x06, 0x74, 0x77, 0x69, 0x6e]);
  return { name, mimeType, buffer: Buffer.concat([buffer.subarray(0, 2), comment, buffer.subarray(2)]) };
}

/** A photo of over a megabyte, as phones make them: fine grain everywhere. */
export function largePhoto(name: string, width: number, height: number): File {
  made += 1;
  const next = chance(made);
  const pixels = Buffer.alloc(width * height * 4, 255);
  for (let at = 0; at < pixels.length; at += 1) {
    const grain = next() >>> 25;
    if (at % 4 !== 3) pixels[at] = 90 + grain + ((at >> 12) % 30);
  }
  const { data } = jpeg.encode({ data: pixels, width, height }, 90);
  if (data.length < 1 << 20) throw new Error(`${name} has only ${String(data.length)} bytes`);
  return { name, mimeType: "image/jpeg", buffer: data };
}

/** The same photo with so many bytes behind its end, as phones put a film there: it takes long on its way, and a small copy of it does not. */
export function heavy(file: File, bytes: number): File {
  return { ...file, buffer: Buffer.concat([file.buffer, Buffer.alloc(bytes, 0x20)]) };
}

let six: File[] | undefined;

/** Six photos of six shapes: wide, tall, square, panorama. They are the same for every member of a worker. */
export function photos(): File[] {
  six ??= [
    photo("清晨.jpg", 960, 640),
    photo("灯塔.jpg", 640, 960),
    photo("贝壳.jpg", 720, 720),
    photo("海岸.jpg", 1280, 480),
    photo("木船.jpg", 1024, 768),
    photo("归途.jpg", 600, 1066),
  ];
  return [...six];
}

/** A file that says it is a photo and is not. */
export function notAPhoto(name: string): File {
  return { name, mimeType: "image/jpeg", buffer: Buffer.from("这不是照片，只是一段文字。") };
}

/** The folder with the eight EXIF orientations, beside the checkout; it may be absent. */
export const ORIENTATIONS = fileURLToPath(new URL("../../../shared/photos", import.meta.url));
export const hasOrientations = existsSync(join(ORIENTATIONS, "Landscape_1.jpg"));
