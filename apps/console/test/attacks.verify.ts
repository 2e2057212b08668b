// What pages of other ports and other names can do with somebody's session: nothing.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { hasChromium } from "@call-media/test-setup/chromium";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openConsole, signIn } from "./support/browser.ts";
import { type Demo, openDemo } from "./support/demo.ts";

const CALL = "console/api/metadata/by-call-id/300000000100017";

/** Any page of the port, which is on 127.0.0.1 and below localhost alike. */
async function openAttacker() {
  const server = createServer((_request, response) => {
    response.setHeader("Content-Type", "text/html").end("<!doctype html><title>Other</title>");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // of an IP socket
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** How each way to the session ends: `refused` is by the browser, `opaque` an answer that it does not show. */
const attack = (page: Page, baseUrl: string) =>
  page.evaluate(
    async ({ base, call }) => {
      const ask = (path: string, options: RequestInit) =>
        fetch(`${base}/${path}`, { credentials: "include", ...options }).then(
          async (response) => `${response.type} ${await response.text()}`,
          () => "refused",
        );
      const load = (element: HTMLElement) =>
        new Promise<string>((resolve) => {
          element.addEventListener("load", () => resolve("loaded"));
          element.addEventListener("error", () => resolve("refused"));
          document.body.append(element);
        });
      const frame = Object.assign(document.createElement("iframe"), { src: `${base}/console/` });
      await load(frame);
      const framed = (() => {
        try {
          return frame.contentDocument?.body.textContent ?? "closed";
        } catch {
          return "closed";
        }
      })();
      const script = Object.assign(document.createElement("script"), { src: `${base}/${call}` });
      const own = { "X-Call-Media-Console": "1" };
      const opener = window.open(`${base}/console/`);
      await new Promise((resolve) => setTimeout(resolve, 500));
      return {
        read: await ask(call, {}),
        blind: await ask(call, { mode: "no-cors" }),
        marked: await ask(call, { headers: own }),
        session: await ask("console/session", {}),
        opened: await ask("console/session", { method: "POST", headers: own, body: "{}" }),
        ended: await ask("console/session", { method: "DELETE", headers: own }),
        posted: await ask("console/session", { method: "POST", mode: "no-cors", body: "{}" }),
        script: await load(script),
        framed,
        window: String(opener === null || opener.closed),
        cookie: document.cookie,
      };
    },
    { base: baseUrl, call: CALL },
  );

describe.skipIf(!hasChromium)("pages of other origins", () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await openDemo("--console-session");
  });
  afterAll(() => demo[Symbol.asyncDispose]());

  test.each([
    ["another port", "127.0.0.1", "127.0.0.1"],
    ["another name", "127.0.0.1", "evil.localhost"],
    ["a neighbour below localhost", "archive.localhost", "evil.localhost"],
    ["another port of that name", "archive.localhost", "archive.localhost"],
  ])("%s neither reads nor uses nor ends the session", async (_what, host, otherHost) => {
    const base = demo.baseUrl.replace("127.0.0.1", host);
    await using attacker = await openAttacker();
    await using opened = await openConsole(base);
    const { page } = opened;
    await signIn(page, demo.apiKey);
    const other = await page.context().newPage();
    await other.goto(`http://${otherHost}:${attacker.port}/`);
    expect(await attack(other, base)).toEqual({
      read: "refused",
      // The browser sends it, the service rejects it, and the page cannot read the response.
      blind: "opaque ",
      marked: "refused",
      session: "refused",
      opened: "refused",
      ended: "refused",
      posted: "opaque ",
      script: "refused",
      framed: "closed",
      // Its window is cut off from the page that opened it.
      window: "true",
      cookie: "",
    });
    await page.reload();
    await page.getByRole("button", { name: /^Account / }).waitFor();
  });
});
