// In weixin's own browser: what it shows of this page when somebody sends it on. Only pages that present themselves have
// this script, and only there.

interface Weixin {
  config(settings: object): void;
  ready(then: () => void): void;
  updateAppMessageShareData(card: object): void;
  updateTimelineShareData(card: object): void;
}

/** The address of weixin's JS-SDK. */
const SDK = "https://res.wx.qq.com/open/js/jweixin-1.6.0.js";

/** Loads a script of another site; the content policy lets it run by this page's nonce. */
function load(address: string): Promise<unknown> {
  const script = document.createElement("script");
  script.nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
  return new Promise((done, failed) => {
    Object.assign(script, { src: address, onload: done, onerror: failed });
    document.head.append(script);
  });
}

async function present(): Promise<void> {
  const said = (property: string) => document.querySelector<HTMLMetaElement>(`meta[property="og:${property}"]`)?.content ?? "";
  const url = location.href.split("#")[0] ?? "";
  const answer = await fetch(`/weixin/share?url=${encodeURIComponent(url)}`);
  if (!answer.ok) return;
  const signed = (await answer.json()) as object;
  await load(SDK);
  const { wx } = window as unknown as { wx: Weixin };
  wx.config({ ...signed, debug: false, jsApiList: ["updateAppMessageShareData", "updateTimelineShareData"] });
  wx.ready(() => {
    const icon = document.querySelector<HTMLLinkElement>("link[rel=image_src]")?.href;
    const card = { title: said("title"), desc: said("description"), link: said("url"), imgUrl: icon ?? said("image") };
    wx.updateAppMessageShareData(card);
    wx.updateTimelineShareData(card);
  });
}

// without it weixin shows the page's title and address
void present().catch(() => undefined);
