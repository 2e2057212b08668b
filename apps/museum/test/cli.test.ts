// `call-media check` of any API as its users run it: on this service and its document, with and without a drift.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, check, OWN, plain, RELATIONS } from "./support/check.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "museum-cli-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** The methods of all requests of a run. */
async function listMethods(...args: readonly string[]): Promise<ReadonlySet<string>> {
  const har = join(folder, "run.har");
  const { code } = await check([...OWN, ...args, "--har", har]);
  expect(code).toBe(0);
  const { log } = JSON.parse(await readFile(har, "utf8"));
  return new Set(log.entries.map(({ request }: { request: { method: string } }) => request.method));
}

test("a service that keeps its document and relations is exit 0, and nothing is written", async () => {
  expect(await listMethods()).toEqual(new Set(["GET", "HEAD", "PROBE"]));
});

test("a drift is exit 1, and the report says what, where and how to see it again", async () => {
  const file = join(folder, "report.json");
  const args = [...OWN, "--report", `json=${file}`];
  const { code, stdout } = await check(args, "list-price-in-cents");
  expect(code).toBe(1);
  expect(plain(stdout)).toMatch(/sameAs\.same .* price .*curl/);
  const report = JSON.parse(await readFile(file, "utf8"));
  const lines = (await readFile(RELATIONS, "utf8")).split("\n");
  const found = report.findings.find(
    ({ requirement }: { requirement: string }) => requirement === "sameAs.same",
  );
  expect(found.place.file).toBe(RELATIONS);
  expect(lines[found.place.line - 1]).toContain("sameAs");
});

test("--explain sends nothing and needs no service", async () => {
  const { code, stdout } = await call([...OWN, "--explain"]);
  expect(code).toBe(0);
  expect(plain(stdout)).toMatch(
    /page: listSpecialEvents, getMuseumHours \(about \d+ requests each\)/,
  );
  expect(plain(stdout)).toContain("lifecycle: createSpecialEvent (needs --write)");
});

describe("known differences", () => {
  const entry = {
    requirement: "answer.schema",
    operation: "getMuseumHours",
    fingerprint: "00000000000000d7",
    reason: "mended in version 4",
  };

  test.each([
    [{ requirement: "answer.shcema" }, "unknown requirement answer.shcema"],
    [{ operation: "getHours" }, "unknown operation getHours; the operations are getMuseumHours,"],
    [{ reason: undefined }, "gives no reason"],
    [{ fingerprint: undefined }, "has no fingerprint"],
  ])("that say %j are refused", async (change, fault) => {
    const file = join(folder, "known.json");
    await writeFile(file, JSON.stringify([{ ...entry, ...change }]));
    const address = ["--base-url", "http://127.0.0.1:9"];
    const { code, stderr } = await call([...OWN, "--expect", file, ...address]);
    expect(code).toBe(2);
    expect(plain(stderr)).toContain(fault);
  });
});
