// The calls of the dialog (specification section 7, numbers 9 and 10).
import type { PriceLine } from "../generated/cart.js";
import { objectOf } from "../runtime/http/answer.js";
import { forms } from "../runtime/http/clients.js";
import { FALLBACK, HttpError } from "../runtime/http/error.js";
import { fenOf } from "../runtime/money.js";

/** What has a price: the chosen codes joined by a pipe, and so many copies. */
export interface Priced {
  goodsID: string;
  cnums: string;
  count: number;
  pagesNum: number;
}

/** A total in 分 and where it comes from. */
export interface Explanation {
  total: number;
  list: PriceLine[];
}

export interface Calls {
  /** The total in 分. */
  total(priced: Priced, signal: AbortSignal): Promise<number>;
  lines(priced: Priced, signal: AbortSignal): Promise<Explanation>;
  /** `artwork` is what a craft is drawn from. */
  update(cartID: string, priced: Priced, remark: string, signal: AbortSignal, artwork?: string): Promise<void>;
}

export const calls: Calls = {
  async total(priced, signal) {
    const query = { ...fields(priced), random: String(Date.now()) };
    const { body } = await forms.get("/shopping/getTotal", query, { signal });
    // goodsID|count|pages|discount|basePrice|listTotal|unitPrice|total
    return amount(body.split("|")[7], body);
  },

  async lines(priced, signal) {
    const answer = await forms.get("/cart/priceLines", fields(priced), { signal });
    const { data } = objectOf(answer) as { data: { total: string; list: PriceLine[] } };
    return { total: amount(data.total, answer.body), list: data.list };
  },

  async update(cartID, priced, remark, signal, artwork = "") {
    const unused = { fuwu: "", fxID: "", prop1: "", pdfCnum: "" };
    const data = { CartID: cartID, ...fields(priced), remarkinfo: remark, artwork, pdfchecked: "1", ...unused };
    const { body } = await forms.post("/shopping/updateCart", data, { idempotent: true, signal });
    if (body.trim() === "ok") return;
    // anything else is the reason, unless something between here and the server answered with a page
    throw new HttpError(FALLBACK.code, body.startsWith("<") ? FALLBACK.msg : body, { status: 200, body });
  },
};

/** The server knows the member and the pages itself; the names are the specification's. */
function fields({ goodsID, cnums, count, pagesNum }: Priced): Record<string, string> {
  return { goodsID, cnums, count: String(count), pagesNum: String(pagesNum), memberID: "" };
}

function amount(yuan: string | undefined, body: string): number {
  const fen = fenOf(yuan ?? "");
  if (fen === undefined) throw new HttpError(FALLBACK.code, FALLBACK.msg, { status: 200, body });
  return fen;
}
