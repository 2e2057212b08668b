// Files of recorded traffic: HAR and NDJSON, whole, broken and truncated.
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { toHarText } from "@call-media/test-setup/record-har";
import { expect, test } from "vitest";
import { checkTraffic, loadRelations } from "../src/index.ts";
import { createFolder, HOST, toEntry } from "./recorded.ts";
import { fields, listOf, operation, TEXT, toDocument } from "./styles.ts";

const THING = fields({ id: TEXT }, ["id"]);
const document = toDocument(
  { "/things": { get: operation("listThings", { 200: listOf(THING) }) } },
  { servers: [{ url: HOST }] },
);
const relations = await loadRelations(document);

const good = toEntry({ url: "/things", body: [{ id: "é🦀" }] });
const bad = toEntry({ url: "/things", body: [{}] });
const toLines = (...entries: readonly unknown[]) =>
  entries.map((entry) => JSON.stringify(entry)).join("\n");

async function judgeFile(name: string, text: string | Buffer) {
  await using folder = await createFolder();
  const file = join(folder.path, name);
  await writeFile(file, text);
  const report = await checkTraffic({ document, relations, files: [file] });
  const { verdict, reason = "", findings, traffic } = report;
  return {
    verdict,
    reason: reason.replace(file, name),
    at: findings.map(({ recorded }) => recorded?.entry),
    exchanges: traffic?.exchanges,
    leftOut: traffic?.leftOut.map(({ examples }) => examples.join().replaceAll(file, name)),
  };
}

const whole = toHarText([good, bad]);

test.each([
  ["a.har", whole, "log.entries[1]"],
  ["upper.HAR", `\uFEFF${whole}`, "log.entries[1]"],
  [
    "other-order.har",
    JSON.stringify({ comment: { entries: [1] }, log: { entries: [good, bad], pages: [{}] } }),
    "log.entries[1]",
  ],
  ["a.ndjson", toLines(good, bad), "line 2"],
  ["windows.jsonl", `\uFEFF${toLines(good).trim()}\r\n\r\n${toLines(bad)}\r\n`, "line 3"],
])("%s is read to its end", async (name, text, entry) => {
  expect(await judgeFile(name, text)).toEqual({
    verdict: "drift",
    reason: "",
    at: [entry],
    exchanges: 2,
    leftOut: [],
  });
});

test("an NDJSON line needs a method, a URL and a status, and has its headers by name", async () => {
  const line = {
    request: { method: "get", url: `${HOST}/things`, headers: { accept: ["a/b", "c/d"] } },
    response: {
      status: 200,
      headers: { "content-type": "application/json" },
      content: { text: "[{}]" },
    },
  };
  expect(await judgeFile("a.ndjson", toLines(line))).toMatchObject({
    verdict: "drift",
    at: ["line 1"],
  });
});

test("a line that is none is left out by its number; the others are judged", async () => {
  const text = `${toLines(good)}\n{"request":{"method":\n${toLines(bad)}\n{"request": {}}`;
  expect(await judgeFile("torn.ndjson", text)).toMatchObject({
    verdict: "drift",
    at: ["line 3"],
    exchanges: 4,
    leftOut: ["torn.ndjson line 2: no JSON,torn.ndjson line 4: response: missing"],
  });
});

test("a file that ends early is no green, and what was found before it stays", async () => {
  expect(await judgeFile("cut.har", toHarText([good, good]).slice(0, -3))).toMatchObject({
    verdict: "unable",
    reason: "cut.har: it ends in the middle of its JSON, after log.entries[1]",
  });
  expect(await judgeFile("cut.har", toHarText([bad, good]).slice(0, -40))).toMatchObject({
    verdict: "drift",
    reason: "cut.har: it ends in the middle of its JSON, after log.entries[0]",
    at: ["log.entries[0]"],
  });
  const broken = toHarText([good, good, good]).replace(/(.*)"request"/s, '$1"request"oops');
  expect(await judgeFile("broken.har", broken)).toMatchObject({
    verdict: "unable",
    reason: "broken.har: its JSON is broken after log.entries[1]",
  });
});

test.each([
  ["a.txt", "{}", "a.txt: the name of recorded traffic ends in .har, .ndjson or .jsonl"],
  ["a.har", "oops", "a.har: it is not JSON"],
  ["a.har", "{}", "a.har: it has no list log.entries, so it is not a HAR file"],
  ["a.har", '{"log":{"entries":{}}}', "a.har: it has no list log.entries, so it is not a HAR file"],
  ["a.har", "", "a.har: it ends in the middle of its JSON, before its first entry"],
])("%s with %s is refused: %s", async (name, text, message) => {
  await expect(judgeFile(name, text)).rejects.toThrow(message);
});

test("a file that is not there is named", async () => {
  const check = checkTraffic({ document, relations, files: ["no-such-file.har"] });
  await expect(check).rejects.toThrow(/^no-such-file\.har cannot be read: ENOENT/);
});

test.each([
  ["a.har", "log.entries[59]"],
  ["a.ndjson", "line 60"],
])("%s may be larger than the memory, as no entry is kept", async (name, last) => {
  await using folder = await createFolder();
  const file = join(folder.path, name);
  const entries = Array.from({ length: 60 }, () =>
    toEntry({ url: "/things", body: [{ id: "x".repeat(2 ** 20) }] }),
  );
  await writeFile(file, name === "a.har" ? toHarText(entries) : toLines(...entries));
  const program = fileURLToPath(new URL("read-last.ts", import.meta.url));
  const args = ["--max-old-space-size=40", program, file];

  expect(execFileSync(process.execPath, args, { encoding: "utf8" })).toBe(`${last}\n`);
});
