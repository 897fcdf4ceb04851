// Makes of Twemoji's font what the press sets: nothing in it shines through, so that print needs no transparency, and each
// emoji is as wide as Noto Emoji's, so that lines break alike in both.
import { readFile } from "node:fs/promises";
import wawoff2 from "wawoff2";

/** Noto Emoji's advance in units of Twemoji's em: 2600 / 2048 × 512. */
const ADVANCE = 650;
/** Under this opacity, of 255, a layer is a gleam or a shadow, and left out. */
const FAINT = 128;

/** The tables of a font by their tags (OpenType 1.9, "Organization of an OpenType font"). */
const tablesOf = (font) =>
  new Map(
    Array.from({ length: font.readUInt16BE(4) }, (_, index) => {
      const at = 12 + 16 * index;
      const start = font.readUInt32BE(at + 8);
      return [font.toString("latin1", at, at + 4), font.subarray(start, start + font.readUInt32BE(at + 12))];
    }),
  );

const checksum = (table) => {
  const padded = Buffer.concat([table, Buffer.alloc(-table.length & 3)]);
  let sum = 0;
  for (let at = 0; at < padded.length; at += 4) sum = (sum + padded.readUInt32BE(at)) >>> 0;
  return sum;
};

const fontOf = (tables) => {
  const sorted = [...tables].sort(([one], [other]) => (one < other ? -1 : 1));
  const head = Buffer.alloc(12 + 16 * sorted.length);
  const power = 2 ** Math.floor(Math.log2(sorted.length));
  head.writeUInt32BE(0x00010000);
  [sorted.length, 16 * power, Math.log2(power), 16 * (sorted.length - power)].forEach((value, index) =>
    head.writeUInt16BE(value, 4 + 2 * index),
  );
  const parts = [head];
  let start = head.length;
  sorted.forEach(([tag, table], index) => {
    const at = 12 + 16 * index;
    head.write(tag, at, "latin1");
    [checksum(table), start, table.length].forEach((value, field) =>
      head.writeUInt32BE(value, at + 4 + 4 * field),
    );
    parts.push(table, Buffer.alloc(-table.length & 3));
    start += table.length + (-table.length & 3);
  });
  return Buffer.concat(parts);
};

/** A glyph's outline; empty where it draws nothing. */
const outlineOf = (tables, glyph) => {
  const loca = tables.get("loca");
  const isLong = tables.get("head").readUInt16BE(50) === 1;
  const at = (index) => (isLong ? loca.readUInt32BE(4 * index) : 2 * loca.readUInt16BE(2 * index));
  return tables.get("glyf").subarray(at(glyph), at(glyph + 1));
};

/** The box of an outline: x and y from, x and y to. */
const boxOf = (outline) => [2, 4, 6, 8].map((field) => outline.readInt16BE(field));

/** Layers that let things shine through become opaque, in the colour that they give on what is under them, or on paper. */
const makeOpaque = (tables) => {
  const cpal = tables.get("CPAL");
  const first = cpal.readUInt32BE(8);
  // blue, green, red, opacity
  const colours = Array.from({ length: cpal.readUInt16BE(2) }, (_, index) => [
    ...cpal.subarray(first + 4 * index, first + 4 * index + 4),
  ]);
  const numberOf = (colour) => {
    const known = colours.findIndex((other) => other.every((value, channel) => value === colour[channel]));
    return known < 0 ? colours.push(colour) - 1 : known;
  };
  const colr = Buffer.from(tables.get("COLR"));
  const [bases, layers] = [colr.readUInt32BE(4), colr.readUInt32BE(8)];
  for (let base = 0; base < colr.readUInt16BE(2); base++) {
    const from = colr.readUInt16BE(bases + 6 * base + 2);
    for (let layer = from + 1; layer < from + colr.readUInt16BE(bases + 6 * base + 4); layer++) {
      const [under, over] = [layers + 4 * (layer - 1), layers + 4 * layer];
      const [blue, green, red, opacity] = colours[colr.readUInt16BE(over + 2)];
      if (opacity === 255) continue;
      if (opacity < FAINT) {
        // the layer under it once more
        colr.copy(colr, over, under, under + 4);
        continue;
      }
      const [outer, inner] = [under, over].map((record) =>
        boxOf(outlineOf(tables, colr.readUInt16BE(record))),
      );
      const lies = outer.every((edge, side) => (side < 2 ? edge <= inner[side] : edge >= inner[side]));
      const ground = lies ? colours[colr.readUInt16BE(under + 2)] : [255, 255, 255];
      const mixed = [blue, green, red].map((value, channel) =>
        Math.round((value * opacity + ground[channel] * (255 - opacity)) / 255),
      );
      colr.writeUInt16BE(numberOf([...mixed, 255]), over + 2);
    }
  }
  const head = Buffer.alloc(14);
  [0, colours.length, 1, colours.length].forEach((value, index) => head.writeUInt16BE(value, 2 * index));
  head.writeUInt32BE(head.length, 8);
  tables.set("COLR", colr);
  // no layer names what it had of colours that shine through
  tables.set("CPAL", Buffer.concat([head, Buffer.from(colours.flatMap((colour) => [...colour.slice(0, 3), 255]))]));
};

/** A simple outline moved to the right: only its first point is not counted from another one (OpenType 1.9, "glyf"). */
const moved = (outline, by) => {
  const points = outline.readInt16BE(0);
  if (points < 0) throw new Error("a glyph of other glyphs");
  const flags = 10 + 2 * points + 2 + outline.readUInt16BE(10 + 2 * points);
  const count = outline.readUInt16BE(8 + 2 * points) + 1;
  let x = flags;
  for (let point = 0; point < count; point++) if (outline[x++] & 8) point += outline[x++];
  const [first, repeated] = [outline[flags], outline[flags] & 8 ? outline[flags + 1] : 0];
  const [short, same] = [first & 2, first & 16];
  const from = short ? (same ? outline[x] : -outline[x]) : same ? 0 : outline.readInt16BE(x);
  const to = Buffer.alloc(2);
  to.writeInt16BE(from + by);
  // the first point's flag by itself, its x in two bytes
  const rest = repeated > 1 ? [first, repeated - 1] : repeated === 1 ? [first & ~8] : [];
  const head = Buffer.from(outline.subarray(0, flags));
  for (const side of [2, 6]) head.writeInt16BE(head.readInt16BE(side) + by, side);
  const after = flags + (first & 8 ? 2 : 1);
  const own = short ? 1 : same ? 0 : 2;
  const flag = Buffer.from([first & ~(2 | 8 | 16), ...rest]);
  return Buffer.concat([head, flag, outline.subarray(after, x), to, outline.subarray(x + own)]);
};

/** Every glyph in the middle of a wider place. */
const widen = (tables) => {
  const [hhea, head] = ["hhea", "head"].map((tag) => Buffer.from(tables.get(tag)));
  const hmtx = Buffer.from(tables.get("hmtx"));
  const by = (ADVANCE - hhea.readUInt16BE(10)) / 2;
  const wide = hhea.readUInt16BE(34);
  for (let glyph = 0; glyph < wide; glyph++) hmtx.writeUInt16BE(ADVANCE, 4 * glyph);
  hhea.writeUInt16BE(ADVANCE, 10);
  for (const side of [36, 40]) head.writeInt16BE(head.readInt16BE(side) + by, side);
  const glyf = [];
  const loca = Buffer.alloc(4 * (tables.get("maxp").readUInt16BE(4) + 1));
  let end = 0;
  for (let glyph = 0; 4 * (glyph + 1) < loca.length; glyph++) {
    const bearing = glyph < wide ? 4 * glyph + 2 : 4 * wide + 2 * (glyph - wide);
    const outline = outlineOf(tables, glyph);
    if (outline.length > 0) {
      hmtx.writeInt16BE(hmtx.readInt16BE(bearing) + by, bearing);
      glyf.push(moved(outline, by));
      end += glyf.at(-1).length;
    }
    loca.writeUInt32BE(end, 4 * (glyph + 1));
  }
  head.writeInt16BE(1, 50);
  // the sum over the whole font, which nobody asks for
  head.writeUInt32BE(0, 8);
  Object.entries({ hhea, head, hmtx, loca, glyf: Buffer.concat(glyf) }).forEach(([tag, table]) => tables.set(tag, table));
};

export const emojiFont = async (file) => {
  const tables = tablesOf(Buffer.from(await wawoff2.decompress(await readFile(file))));
  makeOpaque(tables);
  widen(tables);
  // glyphs' names and what FontForge noted are a quarter of it, and nobody reads them
  const post = Buffer.from(tables.get("post").subarray(0, 32));
  post.writeUInt32BE(0x00030000);
  tables.set("post", post);
  tables.delete("FFTM");
  return fontOf(tables);
};
