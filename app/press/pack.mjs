// Packs the fonts that the press embeds, which would be more than half of the program otherwise: packed/*.ttf.br.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";
import { emojiFont } from "./emoji.mjs";

const FONTS = [
  "noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf",
  "noto-sans-sc/700Bold/NotoSansSC_700Bold.ttf",
  "noto-serif-sc/400Regular/NotoSerifSC_400Regular.ttf",
  "noto-serif-sc/700Bold/NotoSerifSC_700Bold.ttf",
  "ma-shan-zheng/400Regular/MaShanZheng_400Regular.ttf",
  "zcool-xiaowei/400Regular/ZCOOLXiaoWei_400Regular.ttf",
  "noto-sans-mono/400Regular/NotoSansMono_400Regular.ttf",
  "noto-emoji/400Regular/NotoEmoji_400Regular.ttf",
];

// quality 11 takes fifty times as long for an eighth less: for small fonts alone
const SMALL = 5 << 18;
const params = (size) => ({
  [constants.BROTLI_PARAM_QUALITY]: size < SMALL ? 11 : 5,
  [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
});

const here = (path) => new URL(path, import.meta.url);
await mkdir(here("packed"), { recursive: true });
const pack = async (name, font) => {
  const packed = await promisify(brotliCompress)(font, { params: params(font.length) });
  await writeFile(here(`packed/${name}.br`), packed);
};
await Promise.all([
  ...FONTS.map(async (font) => pack(basename(font), await readFile(here(`node_modules/@expo-google-fonts/${font}`)))),
  emojiFont(here("node_modules/twemoji-colr-font/twemoji.woff2")).then((font) => pack("Twemoji.ttf", font)),
]);
