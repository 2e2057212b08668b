// `check --traffic` in every format, and what it does not go with.
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runCallMedia } from "@call-media/test-setup/call-media";
import { afterAll, beforeAll, expect, test } from "vitest";

const at = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const DOCUMENT = at("../../conformance/test/library/openapi.yaml");
const BASE = ["--document", DOCUMENT, "--base-url", "https://library.test"];
const BOOK = { id: 7, title: "One", author: "Ada", lent: false, year: 1999 };

const toLine = (path: string, body: unknown): string =>
  JSON.stringify({
    request: {
      method: "GET",
      url: `https://library.test${path}`,
      headers: { authorization: "Bearer a-token-of-the-library" },
    },
    response: {
      status: 200,
      headers: { "content-type": "application/json" },
      content: { text: JSON.stringify(body) },
    },
  });

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "traffic-"));
  await writeFile(join(folder, "good.ndjson"), toLine("/books/7", BOOK));
  const lines = [
    toLine("/books/7", { ...BOOK, year: "1999" }),
    toLine("/hidden", {}),
    toLine("/books/7", BOOK).replace("library.test", "other.test"),
  ];
  await writeFile(join(folder, "bad.ndjson"), lines.join("\n"));
});
afterAll(() => rm(folder, { recursive: true }));

const call = (...args: readonly string[]) => runCallMedia(["check", ...args], { cwd: folder });

test("right traffic is kept, without credentials and without a request", async () => {
  const { code, stdout, stderr } = await call(...BASE, "--traffic", "good.ndjson");
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    "The recorded responses keep " + DOCUMENT + ". Kept:",
  );
});

test("a finding is shown with file and entry in every format, and no credentials", async () => {
  const reports = ["json", "junit", "sarif", "markdown"];
  const inFolder = (name: string) => join(folder, name);
  const asked = reports.flatMap((name) => ["--report", `${name}=${inFolder(`${name}.out`)}`]);
  const files = ["good.ndjson", "bad.ndjson"].flatMap((name) => ["--traffic", inFolder(name)]);
  // SARIF places findings in a file of the repository.
  const cwd = dirname(DOCUMENT);
  const { code, stdout, stderr } = await runCallMedia(["check", ...BASE, ...files, ...asked], {
    cwd,
  });
  expect([code, stderr]).toEqual([1, ""]);
  const all = [stdout, ...reports.map((name) => readFileSync(inFolder(`${name}.out`), "utf8"))];
  for (const text of all) {
    expect(text).toContain("year: expected integer, got string");
    expect(text).toMatch(/bad\.ndjson\W+(?:entry\W+)?line 1/);
    expect(text).not.toContain("a-token-of-the-library");
  }
  for (const text of [stdout, all[4]]) {
    expect(text).toContain("2 of 4 recorded exchanges judged");
    expect(text).toContain("1 other hosts, or outside of the base URL: other.test");
    expect(text).toContain("GET /hidden: 1, of these 1 answered with success");
  }
});

test("nothing judged ends with 2, and says why", async () => {
  const args = ["--document", DOCUMENT, "--base-url", "https://elsewhere.test"];
  const { code, stderr } = await call(...args, "--traffic", "good.ndjson");
  expect(code).toBe(2);
  expect(stderr).toMatch(/none of 1 recorded exchanges is of an operation .*\(library\.test\)/);
});

test.each([
  [["--write"], "--write is about requests"],
  [["--self-test"], "--self-test is about requests"],
  [["--har", "x.har"], "--har is about requests"],
])("%s does not go with it", async (args, message) => {
  const { code, stderr } = await call(...BASE, ...args, "--traffic", "good.ndjson");
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

test("Call Media is judged by its own document", async () => {
  await writeFile(join(folder, "own.jsonl"), toLine("/Token", {}));
  const args = ["--base-url", "https://library.test", "--traffic", "own.jsonl"];
  const { code, stderr } = await call(...args);
  expect(code).toBe(2);
  expect(stderr).toContain("is of an operation of the document at https://library.test");
});
