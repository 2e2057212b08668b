// `call-media check` of any API as its users run it: other forms of a document, known differences, writes and self-tests.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { call, check, DOCUMENT, OWN, plain, RELATIONS } from "./support/check.ts";

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

test("with --write all operations are seen at work", async () => {
  const { code, stdout } = await check([...OWN, "--write"]);
  expect(code, stdout).toBe(0);
  expect(plain(stdout)).toContain("at 8 of 8 operations, each seen at work");
  // Events are deleted again; tickets cannot be.
  expect(plain(stdout)).toMatch(
    /Created and still there: delete it yourself \d+ by buyMuseumTickets \(the document has no DELETE for it\): \/tickets\//,
  );
  expect(stdout).not.toContain("by createSpecialEvent");
});

test("--self-test says which drifts this check would find, and how far they reach", async () => {
  const { code, stdout } = await check([...OWN, "--write", "--self-test"]);
  expect(code).toBe(0);
  expect(plain(stdout)).toMatch(
    /Self-test: of 21 drifts put into the answers, this check finds 2\d\./,
  );
  expect(plain(stdout)).toContain(
    "Self-test: of 32 fields that came wrong, this check finds 32. Out of reach: 1 of 33 fields (buyMuseumTickets eventId).",
  );
  expect(plain(stdout)).toContain(
    "Self-test: of 7 parameters that were ignored, this check finds 7.",
  );
});

test("what --init finds on live answers can be checked at once, and turns red on drift between them", async () => {
  const found = await check(["--document", DOCUMENT, "--init"]);
  expect(found).toMatchObject({ code: 0, stderr: expect.stringMatching(/rules of \d+ guesses/) });
  const file = await toFile("init.yaml", found.stdout);
  const args = ["--document", DOCUMENT, "--relations", file];
  expect(await check(args)).toMatchObject({ code: 0 });
  expect(await check(args, "page-repeats-row")).toMatchObject({ code: 1 });
});

test("without a service --init prints guesses as comments, and no rule", async () => {
  const { code, stdout } = await call(["--document", DOCUMENT, "--init"]);
  expect([code, parse(stdout)["rules"]]).toEqual([0, null]);
  expect(stdout).toContain(
    "#  - page: { of: listSpecialEvents, size: limit, index: page, from: 1 }",
  );
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

  /** Moves the components elsewhere: next to the document, or to another host. */
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
});
