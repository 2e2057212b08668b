// How soon a reader sees something: the first content of a page over loopback, in a browser that has nothing of it yet.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createListener } from "../src/dev.ts";
import { SITE } from "../src/places.ts";
import { openBrowser } from "../test/support/browser.ts";

const PAGES = ["index.html", "client.html", "reference.html"];
const ROUNDS = 7;

const server = createServer(createListener(join(SITE, "dist"), new Set())).listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
// An address of TCP, since it listens on one.
const { port } = server.address() as AddressInfo;

for (const name of PAGES) {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await using browser = await openBrowser(`http://127.0.0.1:${port}/`);
    const { page } = await browser.visit(name);
    const paints = () =>
      performance.getEntriesByName("first-contentful-paint").map(({ startTime }) => startTime);
    await page.waitForFunction(
      () => performance.getEntriesByName("first-contentful-paint").length > 0,
    );
    times.push(...(await page.evaluate(paints)));
  }
  const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
  console.log(`${name}: ${Math.round(median)} ms (median of ${times.length})`);
}
server.close();
server.closeAllConnections();
