// The console as static files on another origin, with a key in the memory of the tab: what a session does elsewhere, a service
// worker does here.
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { hasChromium } from "@call-media/test-setup/chromium";
import { describe, expect, test } from "vitest";
import { openConsole, signIn } from "./support/browser.ts";
import { openDemo } from "./support/demo.ts";

const DIST = join(import.meta.dirname, "../dist");

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
};

/** As any host of static files; `config.json` names the service. */
async function openHost(service: () => string) {
  const answer = async (url: string, response: ServerResponse): Promise<void> => {
    const path = new URL(url, "http://host").pathname.replace(/^\/console\//, "");
    const name = path === "" ? "index.html" : path;
    response.setHeader("Content-Type", TYPES[extname(name)] ?? "application/octet-stream");
    if (name === "config.json") response.end(JSON.stringify({ service: service() }));
    else response.end(await readFile(join(DIST, name)));
  };
  const server = createServer((request, response) => {
    answer(request.url ?? "", response).catch(() => response.writeHead(404).end());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // of an IP socket
  return {
    origin: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Everything that a page can store, as one text. */
const STORED = async (): Promise<string> => {
  const names = await caches.keys();
  const databases = await indexedDB.databases();
  const kept = [Object.entries(localStorage), Object.entries(sessionStorage)];
  return JSON.stringify([kept, document.cookie, names, databases]);
};

describe.skipIf(!hasChromium)("on another origin", () => {
  test("a call is found and heard, and the key is nowhere but in memory", async () => {
    let service = "";
    await using host = await openHost(() => service);
    await using demo = await openDemo("--cors-origin", host.origin);
    service = demo.baseUrl;
    await using opened = await openConsole(host.origin);
    const { page, go, faults } = opened;
    await page.getByText(demo.baseUrl).waitFor();
    await signIn(page, demo.apiKey);
    await go("#/call/300000000100017");
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.getByText("As archived", { exact: true }).waitFor();
    expect(await page.evaluate(STORED)).not.toContain(demo.apiKey);
    expect(page.url() + (await page.title())).not.toContain(demo.apiKey);
    // What <audio> asks for goes by the service worker, which asks the page for the key.
    const seconds = await page.evaluate(async (url) => {
      const audio = new Audio(url);
      audio.crossOrigin = "anonymous";
      await new Promise((resolve, reject) => {
        audio.addEventListener("loadedmetadata", resolve);
        audio.addEventListener("error", reject);
        audio.src = url;
      });
      return audio.duration;
    }, `${demo.baseUrl}/recording/stream-by-call-id/300000000100017`);
    expect(seconds).toBeGreaterThan(30);
    await page.reload();
    await page.getByLabel("API key").waitFor();
    expect(faults).toEqual([]);
  });
});
