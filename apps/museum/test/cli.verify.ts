// `call-media check` of any API as its users run it: on this service and its document, clean and with drifts.
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startModelService } from "@call-media/test-setup/model-service";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { museumService } from "../src/model.ts";
import { mutants } from "../src/mutants/index.ts";

const at = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const PROGRAM = at("../../../packages/cli/src/main.ts");
const DOCUMENT = at("../document/openapi.yaml");
const RELATIONS = at("../relations.yaml");

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Both callers have credentials in the environment. */
function call(args: readonly string[], cwd?: string): Promise<Ended> {
  const { ann = {}, bob = {} } = museumService.callers;
  const env = { ...process.env, ANN: ann["Authorization"], BOB: bob["Authorization"] };
  const child = spawn(process.execPath, [PROGRAM, "check", ...args], { env, cwd });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
}

const CALLERS = ["--caller", "first=ANN", "--caller", "second=BOB"];

/** The check of a fresh service, with one drift or none. */
async function check(args: readonly string[], drift?: string, cwd?: string): Promise<Ended> {
  const mutant = mutants.find(({ id }) => id === drift);
  await using service = await startModelService(museumService, mutant);
  return await call([...args, "--base-url", service.baseUrl, ...CALLERS], cwd);
}

const OWN = ["--document", DOCUMENT, "--relations", RELATIONS];
const plain = (text: string) => text.replaceAll(/\s+/g, " ");

let folder: string;
let document: Record<string, Record<string, unknown>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "museum-cli-"));
  document = parse(await readFile(DOCUMENT, "utf8"));
});
afterAll(() => rm(folder, { recursive: true }));

const toFile = async (name: string, text: string): Promise<string> => {
  const file = join(folder, name);
  await mkdir(join(file, ".."), { recursive: true });
  await writeFile(file, text);
  return file;
};

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

test("with --write all operations are seen at work", async () => {
  const { code, stdout } = await check([...OWN, "--write"]);
  expect(code, stdout).toBe(0);
  expect(plain(stdout)).toContain("at 8 of 8 operations, each seen at work");
  // Events are deleted again; tickets cannot be.
  expect(plain(stdout)).toMatch(
    /Created and still there: delete it yourself \d+ by buyMuseumTickets \(the document has no DELETE for it\): ticketId/,
  );
  expect(stdout).not.toContain("by createSpecialEvent");
});

test("a drift is exit 1, and the report says what, where and how to see it again", async () => {
  const { code, stdout } = await check(OWN, "list-price-in-cents");
  expect(code).toBe(1);
  expect(plain(stdout)).toMatch(/sameAs\.same .* price .*curl/);
  const report = JSON.parse((await check([...OWN, "--json"], "list-price-in-cents")).stdout);
  const lines = (await readFile(RELATIONS, "utf8")).split("\n");
  const found = report.findings.find(
    ({ requirement }: { requirement: string }) => requirement === "sameAs.same",
  );
  expect(found.place.file).toBe(RELATIONS);
  expect(lines[found.place.line - 1]).toContain("sameAs");
});

test("--self-test says which drifts this check would find", async () => {
  const { code, stdout } = await check([...OWN, "--write", "--self-test"]);
  expect(code).toBe(0);
  expect(plain(stdout)).toMatch(
    /Self-test: of 21 drifts put into the answers, this check finds 2\d\./,
  );
});

test("--explain sends nothing and needs no service", async () => {
  const { code, stdout } = await call([...OWN, "--explain"]);
  expect(code).toBe(0);
  expect(plain(stdout)).toMatch(
    /page: listSpecialEvents, getMuseumHours \(about \d+ requests each\)/,
  );
  expect(plain(stdout)).toContain("lifecycle: createSpecialEvent (needs --write)");
});

test("what --init prints can be checked at once, and a guess never fails", async () => {
  const { stdout } = await call(["--document", DOCUMENT, "--init"]);
  const file = await toFile("init.yaml", stdout);
  const args = ["--document", DOCUMENT, "--relations", file];
  expect(await check(args)).toMatchObject({ code: 0 });
  // Of a drift between responses, which the guesses see, nothing is a finding.
  expect(await check(args, "last-page-lost")).toMatchObject({ code: 0 });
});

describe("documents", () => {
  const toJson = (version: string) =>
    JSON.stringify({ ...document, openapi: version }, undefined, 2);
  test.each([
    ["3.0 in JSON", "3.0.4"],
    ["3.1 in JSON", "3.1.1"],
    ["3.2 in JSON", "3.2.0"],
  ])("OpenAPI %s", async (_name, version) => {
    const file = await toFile(`${version}.json`, toJson(version));
    const { code, stdout } = await check(["--document", file, "--relations", RELATIONS]);
    expect(code, stdout).toBe(0);
    expect((await check(["--document", file], "close-lost")).code).toBe(1);
  });

  /** The components are elsewhere: beside the document, or on another host. */
  const split = (where: string) => {
    const { components = {}, ...rest } = document;
    const { schemas, ...others } = components;
    const text = stringify({ ...rest, components: others });
    const inner = stringify({ components: { schemas } });
    const of = (name: string) => new RegExp(`#/components/${name}/`, "g");
    return {
      root: text.replaceAll(of("schemas"), `${where}#/components/schemas/`),
      parts: inner,
    };
  };

  test("in several files", async () => {
    const { root, parts } = split("parts/schemas.yaml");
    await toFile("several/parts/schemas.yaml", parts);
    const file = await toFile("several/openapi.yaml", root);
    expect(await check(["--document", file, "--relations", RELATIONS])).toMatchObject({ code: 0 });
    const { code, stdout } = await check(["--document", file], "close-lost");
    expect({ code, isTold: plain(stdout).includes("answer.schema") }).toEqual({
      code: 1,
      isTold: true,
    });
  });

  test("on another host only with --allow-remote", async () => {
    let served = 0;
    let parts = "";
    const server = createServer((_request, response) => {
      served += 1;
      response.end(parts);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo; // listens on TCP
    try {
      const made = split(`http://127.0.0.1:${port}/schemas.yaml`);
      ({ parts } = made);
      const file = await toFile("remote.yaml", made.root);
      const refused = await check(["--document", file, "--relations", RELATIONS]);
      expect(refused.code).toBe(2);
      expect(plain(refused.stderr)).toMatch(/remote\.yaml:\d+ refers to http:.*--allow-remote/);
      expect(served).toBe(0);
      const taken = await check(["--document", file, "--relations", RELATIONS, "--allow-remote"]);
      expect(taken).toMatchObject({ code: 0 });
      expect(served).toBe(1);
      parts = "";
      const broken = await check(["--document", file, "--allow-remote"]);
      expect(broken.code).toBe(2);
    } finally {
      server.close();
    }
  });
});

describe("known differences", () => {
  let entries: readonly Record<string, unknown>[];
  beforeAll(async () => {
    const { stdout } = await check([...OWN, "--json"], "close-lost");
    const { findings } = JSON.parse(stdout);
    entries = findings.map(({ requirement, operation, fingerprint }: Record<string, unknown>) => {
      return { requirement, operation, fingerprint, reason: "mended in version 4" };
    });
  });
  const expecting = async (list: unknown) => [
    "--expect",
    await toFile("known.json", JSON.stringify(list)),
  ];

  test("do not fail the check, and are in the report with their reason", async () => {
    const { code, stdout } = await check([...OWN, ...(await expecting(entries))], "close-lost");
    expect(code, stdout).toBe(0);
    expect(plain(stdout)).toContain("(mended in version 4)");
  });

  test("may only shrink: one that is not found any more fails the check", async () => {
    const { code, stdout } = await check([...OWN, ...(await expecting(entries))]);
    expect(code).toBe(1);
    expect(plain(stdout)).toContain("Expected, but not found any more: take these entries out");
  });

  test("excuse no other fault of the same operation", async () => {
    const { code } = await check([...OWN, ...(await expecting(entries))], "open-with-seconds");
    expect(code).toBe(1);
  });

  test.each([
    [{ requirement: "answer.shcema" }, "unknown requirement answer.shcema"],
    [{ operation: "getHours" }, "unknown operation getHours; the operations are getMuseumHours,"],
    [{ reason: undefined }, "gives no reason"],
    [{ fingerprint: undefined }, "has no fingerprint"],
  ])("that say %j are refused", async (change, fault) => {
    const { code, stderr } = await call([
      ...OWN,
      ...(await expecting([{ ...entries[0], ...change }])),
      "--base-url",
      "http://127.0.0.1:9",
    ]);
    expect(code).toBe(2);
    expect(plain(stderr)).toContain(fault);
  });
});
