// The small copy of a photo that goes ahead of it, so that pages can be laid out while the original is on its way.

const LONG_SIDE = 1280;
const QUALITY = 0.75;
/** From this size on a copy goes ahead: a smaller file is there nearly as soon itself. */
const WORTH = 1 << 20;
/** Bytes of the original that say what it is: everything a camera notes stands before the picture. */
const HEAD = 96 << 10;

export const isWorthwhile = (file: Blob) => file.size >= WORTH;

export const head = (file: Blob) => file.slice(0, HEAD);

/** The copy, upright; none where the browser can't read the photo. */
export async function preview(file: Blob): Promise<Blob | undefined> {
  const picture = await createImageBitmap(file, { imageOrientation: "from-image" }).catch(() => undefined);
  if (!picture) return undefined;
  try {
    const scale = Math.min(1, LONG_SIDE / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(picture.width * scale));
    canvas.height = Math.max(1, Math.round(picture.height * scale));
    const context = canvas.getContext("2d", { alpha: false });
    if (!context) return undefined;
    context.imageSmoothingQuality = "high";
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const webp = await encoded(canvas, "image/webp");
    // what can't write WebP answers with a PNG
    return webp?.type === "image/webp" ? webp : await encoded(canvas, "image/jpeg");
  } finally {
    picture.close();
  }
}

const encoded = (canvas: HTMLCanvasElement, type: string) =>
  new Promise<Blob | undefined>((done) => canvas.toBlob((blob) => done(blob ?? undefined), type, QUALITY));
