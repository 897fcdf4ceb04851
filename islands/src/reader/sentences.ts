/** A part of a text that is spoken in one go, by where it begins and ends. */
export interface Sentence {
  from: number;
  to: number;
}

/** Marks that end a sentence, with what closes behind them. */
const END = /[。！？!?；;…\n]+[”’"'」』）)]*|\.(?=\s|$)/g;
/** Browsers stop in the middle of what is longer, in characters. */
const MOST = 120;

/** A text sentence by sentence, none longer than a browser speaks. */
export function sentences(text: string): Sentence[] {
  const ends = [...text.matchAll(END)].map((match) => match.index + match[0].length);
  const all: Sentence[] = [];
  let from = 0;
  for (const end of [...ends, text.length]) {
    while (end - from > MOST) {
      const comma = text.slice(from, from + MOST).search(/[，,、：:](?!.*[，,、：:])/s);
      const to = from + (comma > 0 ? comma + 1 : MOST);
      all.push({ from, to });
      from = to;
    }
    if (text.slice(from, end).trim()) all.push({ from, to: end });
    from = end;
  }
  return all;
}
