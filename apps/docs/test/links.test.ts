// Every link of every page leads somewhere: to a page and its anchor, to a file. Those of the reference are
// followed in links.verify.ts.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { build } from "@call-media/test-setup/built";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createListener } from "../src/dev.ts";
import { createLinks } from "../src/links.ts";
import { SITE } from "../src/places.ts";
import { readReleased } from "../src/released.ts";
import { SECTIONS } from "../src/sections.ts";

build("@call-media/docs");

const server = createServer(createListener(join(SITE, "dist"), new Set()));
let root: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // by TCP
  root = `http://127.0.0.1:${port}/`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

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
  // Redoc's own markup is followed in a browser.
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

describe("of the reference", () => {
  test("before Redoc runs, links stay on the page", async () => {
    const html = await (await fetch(`${root}reference.html`)).text();
    const hrefs = [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href = ""]) => href);
    expect(hrefs.filter((href) => href.startsWith("/"))).toEqual([]);
    expect(hrefs).toContain("#/metadata");
  });
});
