// Each version of the contract keeps its reference, and a reader goes from one to another.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { document } from "@call-media/api";
import { hasChromium } from "@call-media/test-setup/chromium";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildPages, buildReferences } from "../src/build.ts";
import { createListener } from "../src/dev.ts";
import { type Browser, findBarriers, openBrowser, OWN_SEARCH } from "./support/browser.ts";

/** As it was before it had chats. */
const EARLIER = {
  ...document,
  info: { ...document.info, version: "0.9.0" },
  paths: Object.fromEntries(
    Object.entries(document.paths).filter(([path]) => !path.startsWith("/chat/")),
  ),
};

describe.skipIf(!hasChromium)("a version that was released before", () => {
  let folder: string;
  let browser: Browser;
  const server = createServer();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "call-media-versions-"));
    const file = join(folder, "0.9.0.json");
    await writeFile(file, JSON.stringify(EARLIER));
    await buildPages(folder);
    await buildReferences(folder, [{ version: "0.9.0", file }]);
    server.on("request", createListener(folder, new Set()));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo; // by TCP
    browser = await openBrowser(`http://127.0.0.1:${port}/`);
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    server.close();
    await rm(folder, { recursive: true });
  });

  test("is a choice on the page of the newest, and leads back to it", async () => {
    const { page, faults } = await browser.visit("reference.html");
    await page.getByRole("button", { name: `Version ${document.info.version}` }).press("Enter");
    const list = page.getByRole("navigation", { name: "Versions of the contract" });
    await expect
      .poll(() => list.getByRole("link").allTextContents())
      .toEqual([`${document.info.version}, as it is here`, "0.9.0, as released"]);
    await list.getByText("0.9.0, as released").press("Enter");
    await page.waitForURL(/\/0\.9\.0\/index\.html$/);
    await page.getByText("This is version 0.9.0 of the contract.").waitFor();
    await page.getByRole("heading", { name: "Call Media Retrieval Service (0.9.0)" }).waitFor();
    expect(await findBarriers(page, { rules: ["color-contrast"] })).toEqual([]);
    // The search of the site has the operations of the newest alone.
    await page.getByText(OWN_SEARCH).waitFor();
    await page.getByText(`Go to ${document.info.version}`).click();
    await page.waitForURL(/\/reference\.html$/);
    await page.getByRole("button", { name: `Version ${document.info.version}` }).waitFor();
    expect(await page.getByText("This is version").count()).toBe(0);
    expect(faults).toEqual([]);
    await page.close();
  });

  test("has its own operations", async () => {
    const { page } = await browser.visit("0.9.0/index.html#/flags/listpublicflags");
    await page.getByRole("heading", { name: "Public flags of the caller" }).waitFor();
    await page.goto(page.url().replace(/#.*/, "#/chat/getchatbycallid"));
    expect(await page.getByRole("heading", { name: "Chat transcript of a call" }).count()).toBe(0);
    await page.close();
  });
});
