// Lighthouse on one address, three times, with its mobile profile and simulated slow 4G; the medians as JSON on stdout.
import { launch } from "chrome-launcher";
import lighthouse from "lighthouse";

const RUNS = 3;
const [address] = process.argv.slice(2);
const chrome = await launch({
  chromePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  chromeFlags: ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update"],
});
try {
  const reports = [];
  for (let run = 0; run < RUNS; run += 1) {
    const result = await lighthouse(address, { port: chrome.port, output: "json", logLevel: "error" });
    if (!result || result.lhr.runtimeError) throw new Error(result?.lhr.runtimeError?.message ?? "no report");
    reports.push(result.lhr);
  }
  const median = (figure) => reports.map(figure).sort((one, other) => one - other)[Math.floor(RUNS / 2)];
  const score = (category) => Math.round(median(({ categories }) => categories[category].score) * 100);
  const audit = (name) => Math.round(median(({ audits }) => audits[name].numericValue) * 1000) / 1000;
  console.log(
    JSON.stringify({
      version: reports[0].lighthouseVersion,
      performance: score("performance"),
      accessibility: score("accessibility"),
      practices: score("best-practices"),
      seo: score("seo"),
      lcp: Math.round(audit("largest-contentful-paint")),
      tbt: Math.round(audit("total-blocking-time")),
      cls: audit("cumulative-layout-shift"),
    }),
  );
} finally {
  chrome.kill();
}
