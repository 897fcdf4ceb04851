import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A PDF of these objects, the first of which is its catalogue. */
function ofObjects(objects: string[]): Buffer {
  let text = "%PDF-1.4\n";
  const places: number[] = [];
  objects.forEach((object, index) => {
    places.push(text.length);
    text += `${index + 1} 0 obj${object}endobj\n`;
  });
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("")}`;
  text += `trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, "latin1");
}

/** A PDF of empty pages of this size in points. */
export function pdf(pages: number, width: number, height: number): Buffer {
  const kids = Array.from({ length: pages }, (_, index) => `${index + 3} 0 R`).join(" ");
  const page = `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]>>`;
  return ofObjects(["<</Type/Catalog/Pages 2 0 R>>", `<</Type/Pages/Kids[${kids}]/Count ${pages}>>`, ...Array<string>(pages).fill(page)]);
}

/** A PDF of one A4 page with these lines: how far from the left and from the lower edge, how large, in points. */
export function pageOfWords(lines: [x: number, y: number, size: number, words: string][]): Buffer {
  const content = lines.map(([x, y, size, words]) => `BT /F1 ${size} Tf ${x} ${y} Td (${words}) Tj ET`).join("\n");
  return ofObjects([
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>",
    `<</Length ${content.length}>>stream\n${content}\nendstream `,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
  ]);
}

/** A file with a PDF of one empty page; answers its path and its bytes. */
export async function pdfFile(): Promise<{ path: string; bytes: Buffer }> {
  const path = join(await mkdtemp(join(tmpdir(), "invoice-")), "invoice.pdf");
  const bytes = pdf(1, 200, 100);
  await writeFile(path, bytes);
  return { path, bytes };
}
