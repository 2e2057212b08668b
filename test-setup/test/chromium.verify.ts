// The browser of the tests is one that keeps sites apart, and plays what recordings are made of.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { chromium } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { hasChromium, toLaunchOptions } from "../src/chromium.ts";

test.skipIf(!hasChromium)("a page cannot read what another origin does not share", async () => {
  const [own, other] = [await serve(), await serve()];
  const browser = await chromium.launch(toLaunchOptions());
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(own);
  const read = (url: string) =>
    page.evaluate((from) => fetch(from).then((answer) => answer.text(), String), url);
  expect(await read(own)).toBe("secret");
  expect(await read(other)).toBe("TypeError: Failed to fetch");
});

test.skipIf(!hasChromium)("recordings of the usual kinds can be played", async () => {
  const browser = await chromium.launch(toLaunchOptions());
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const kinds = ["audio/wav", "audio/mpeg", 'audio/ogg; codecs="opus"', "audio/flac"];
  const answers = await page.evaluate(
    (all) => all.map((kind) => new Audio().canPlayType(kind)),
    kinds,
  );
  expect(answers).not.toContain("");
});

async function serve(): Promise<string> {
  const server = createServer((_, response) => response.end("secret"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`; // it listens on a port
}
