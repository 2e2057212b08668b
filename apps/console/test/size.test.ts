// What the page weighs, as the browser gets it.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const DIST = join(import.meta.dirname, "../dist");

const KB = 1000;

async function weigh(isMeant: (name: string) => boolean): Promise<number> {
  const names = await readdir(DIST, { recursive: true });
  const files = await Promise.all(names.filter(isMeant).map((name) => readFile(join(DIST, name))));
  return files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0) / KB;
}

/** What is not asked for before a call is opened, or a setting is changed. */
const LATER =
  /about-|nothing-|hints-|count-each|call-page|command-|count-values|kept-views|filter-dialog|picked-bar|player-|hand-over-dialog|offer|wave-source|peaks|decode|validate|de-|words-|sound\.js/;

test("the first page has at most 52 KB of JavaScript and 6 KB of CSS", async () => {
  const isFirst = (name: string) => !LATER.test(name);
  expect(await weigh((name) => name.endsWith(".js") && isFirst(name))).toBeLessThan(52);
  expect(await weigh((name) => name.endsWith(".css") && isFirst(name))).toBeLessThan(6);
});

test("all that searching and listening takes has at most 112 KB, and a hand-over 35 KB more", async () => {
  const isHandOver = (name: string) => name.includes("hand-over-dialog");
  const all = await weigh((name) => /\.(?:js|css|html)$/.test(name) && !isHandOver(name));
  expect(all).toBeGreaterThan(40);
  expect(all).toBeLessThan(112);
  const handOver = await weigh(isHandOver);
  expect(handOver).toBeGreaterThan(5);
  expect(handOver).toBeLessThan(35);
});
