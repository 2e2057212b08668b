// What the page weighs, as the browser gets it.
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const DIST = join(import.meta.dirname, "../dist");

const KB = 1000;

async function weigh(names: readonly string[]): Promise<number> {
  const files = await Promise.all(names.map((name) => readFile(join(DIST, name))));
  return files.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0) / KB;
}

const listFiles = async () => (await readdir(DIST, { recursive: true })).toSorted();

/** What the HTML names and what those files import, with the sentences of one language. */
async function listFirst(): Promise<string[]> {
  const html = await readFile(join(DIST, "index.html"), "utf8");
  const files = new Set(
    [...html.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, name = ""]) => name),
  );
  for (const name of await listFiles()) if (name.includes("assets/en-")) files.add(name);
  for (const name of files) {
    const script = await readFile(join(DIST, name), "utf8");
    for (const [, imported = ""] of script.matchAll(/(?:from|import)"\.\/([^"]+)"/g))
      files.add(`assets/${imported}`);
  }
  return [...files];
}

test("the first page has at most 49.5 KB of JavaScript and 6 KB of CSS", async () => {
  const first = await listFirst();
  const scripts = first.filter((name) => name.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(1);
  expect(await weigh(scripts)).toBeLessThan(49.5);
  expect(await weigh(first.filter((name) => name.endsWith(".css")))).toBeLessThan(6);
});

test("all that searching and listening takes has at most 148 KB, a hand-over 49.5 KB more, muting another 15.2 KB, who looked 6 KB", async () => {
  const files = (await listFiles()).filter((name) => /\.(?:js|css|html)$/.test(name));
  const isHandOver = (name: string) => /hand-over|check-page|assets\/layout/.test(name);
  const isMuting = (name: string) => /mut(?:e|ing)|decode-by-browser/.test(name);
  const isAccess = (name: string) => name.includes("access-panel");
  const all = await weigh(
    files.filter((name) => !isHandOver(name) && !isMuting(name) && !isAccess(name)),
  );
  expect(all).toBeGreaterThan(40);
  expect(all).toBeLessThan(148);
  const handOver = await weigh(files.filter(isHandOver));
  expect(handOver).toBeGreaterThan(5);
  expect(handOver).toBeLessThan(49.5);
  const muting = await weigh(files.filter(isMuting));
  expect(muting).toBeGreaterThan(5);
  expect(muting).toBeLessThan(15.2);
  const accesses = await weigh(files.filter(isAccess));
  expect(accesses).toBeGreaterThan(3);
  expect(accesses).toBeLessThan(6);
});
