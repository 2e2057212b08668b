// Every link of every page leads somewhere: to a page and its anchor, to an operation of the reference, to a file.
import { document, routes } from "@call-media/api";
import { hasChromium } from "@call-media/test-setup/chromium";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createLinks } from "../src/links.ts";
import { readReleased } from "../src/released.ts";
import { SECTIONS } from "../src/sections.ts";
import { type Browser, openBrowser } from "./support/browser.ts";

const root = `${inject("demo").baseUrl}/docs/`;
const SLUGS = SECTIONS.flatMap(({ sources }) => sources.map(({ slug }) => slug));
const KEPT = (await readReleased()).map(({ version }) => `${version}/index.html`);

interface Built {
  readonly url: string;
  readonly ids: ReadonlySet<string>;
  readonly hrefs: readonly string[];
}

const read = async (name: string): Promise<Built> => {
  const response = await fetch(root + name);
  const html = await response.text();
  expect([name, response.status]).toEqual([name, 200]);
  // Redoc's own markup is followed in the browser, below.
  const text = html.replace(/<div id="redoc">[^]*/, "");
  const list = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = ""]) => found);
  return {
    url: response.url,
    ids: new Set(list(/\sid="([^"]+)"/g)),
    hrefs: list(/<(?:a|link)[^>]*\shref="([^"]+)"/g).concat(list(/<script[^>]*\ssrc="([^"]+)"/g)),
  };
};

test("of the pages", async () => {
  const names = [...SLUGS.map((slug) => `${slug}.html`), "reference.html", ...KEPT, ""];
  const pages = await Promise.all(names.map(read));
  const byUrl = new Map(pages.map((page) => [page.url, page]));
  const targets = pages.flatMap(({ url, hrefs }) => hrefs.map((href) => new URL(href, url)));
  const own = targets.filter(({ origin }) => origin === new URL(root).origin);
  expect(own.length).toBeGreaterThan(500);
  const dead = own.filter(({ href, hash }) => {
    const page = byUrl.get(href.replace(/#.*/, ""));
    return page !== undefined && !/^(?:#\/.*)?$/.test(hash) && !page.ids.has(hash.slice(1));
  });
  expect(dead.map(String)).toEqual([]);
  const files = new Set(own.map(({ href }) => href.replace(/#.*/, "")));
  const answers = await Promise.all(
    [...files].map(async (file) => [file, (await fetch(file)).status]),
  );
  expect(answers.filter(([, status]) => status !== 200)).toEqual([]);
});

test("a link to nowhere is found", () => {
  const links = createLinks({
    slugOf: new Map([["a/README.md", "a"]]),
    repositoryUrl: "https://example.com/r",
  });
  const resolve = links.from("a/README.md");
  expect(resolve("#here")).toBe("a.html#here");
  expect(resolve("../a#there")).toBe("a.html#there");
  expect(resolve("../LICENSE")).toBe("https://example.com/r/blob/main/LICENSE");
  expect(resolve("../NOWHERE.md")).toBe("https://example.com/r/blob/main/NOWHERE.md");
  expect(links.findDead(new Map([["a", new Set(["here"])]]))).toEqual([
    "a/README.md: there is no NOWHERE.md",
    "a/README.md: a.html has no #there",
  ]);
});

test("of the references, to decisions", async () => {
  const { ids } = await read("decisions.html");
  for (const [name, toFirst] of [["reference.html", ""], ...KEPT.map((kept) => [kept, "../"])]) {
    const html = await (await fetch(`${root}${name}`)).text();
    const links = [...html.matchAll(/\]\((\S*)#(d\d\d-[\w-]+) /g)];
    expect(links.length).toBeGreaterThan(100);
    expect(
      links.filter(([, page, id = ""]) => !ids.has(id) || page !== `${toFirst}decisions.html`),
    ).toEqual([]);
    expect(html).not.toMatch(/x-decision\W+D/);
  }
});

describe.skipIf(!hasChromium)("of the reference", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser(root);
  });
  afterAll(() => browser[Symbol.asyncDispose]());

  test("a decision is read where it was made", async () => {
    const { page } = await browser.visit("reference.html#/metadata/searchmetadata");
    await page.getByRole("link", { name: "D07" }).first().click();
    const heading = page.locator("h3:target");
    await heading.waitFor();
    expect(await heading.textContent()).toBe("D07 Pages");
    await page.close();
  });

  test("an operation has an address, by which it opens, and an example in each language", async () => {
    const { page, faults } = await browser.visit("reference.html#/chat/getchatbycallid");
    await page.locator("h2", { hasText: "Chat transcript of a call" }).waitFor();
    // What a reader has chosen stays chosen.
    await page.getByRole("button", { name: "curl" }).click();
    const languages = page.getByRole("menuitem");
    await expect
      .poll(() => languages.allTextContents())
      .toEqual(["curl", "TypeScript", "call-media"]);
    await languages.last().click();
    for (const { operationId, tag, path, method } of routes) {
      const { summary = "" } = document.paths[path]?.[method.toLowerCase()] ?? {};
      const address = `${tag}/${operationId}`.toLowerCase();
      await page.goto(`${root}reference.html#/${address}`);
      await page.locator("h2", { hasText: summary }).waitFor();
      const operation = page.locator(`[id="${address}"]`);
      await operation.getByRole("button", { name: "call-media", exact: true }).waitFor();
      await operation.locator("pre", { hasText: "call-media " }).first().waitFor();
    }
    expect(faults).toEqual([]);
    await page.close();
  });

  test("before Redoc runs, links stay on the page", async () => {
    const html = await (await fetch(`${root}reference.html`)).text();
    const hrefs = [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = ""]) => href);
    expect(hrefs.filter((href) => href.startsWith("/"))).toEqual([]);
    expect(hrefs).toContain("#/metadata");
  });
});
