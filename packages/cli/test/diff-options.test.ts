// `call-media diff` for any API: documents in several files, rules that are overruled, changes that are accepted.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run } from "./support/program.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "call-media-diff-options-"));
});
afterAll(() => rm(folder, { recursive: true }));

const write = async (file: string, text: string): Promise<void> => {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), text);
};
const diff = (...args: readonly string[]) => run(["diff", ...args], {}, { cwd: folder });
const diffJson = async (...args: readonly string[]) =>
  JSON.parse((await diff(...args, "--json")).stdout);

const ROOT = `openapi: 3.1.0
info: { title: Parcels, version: 1.0.0 }
paths:
  /parcels:
    $ref: paths/parcels.yaml
`;
const PATH = `get:
  operationId: listParcels
  responses:
    "200":
      description: Parcels.
      content:
        application/json:
          schema:
            type: array
            items: { $ref: "../schemas/parcel.yaml#/Parcel" }
`;
const toSchemas = (fields: string) => `Parcel:
  type: object
  required: [id]
  properties:
    id: { type: string }
    parent: { $ref: "#/Parcel" }
${fields}`;

async function writeDocument(name: string, fields: string): Promise<string> {
  await write(`${name}/openapi.yaml`, ROOT);
  await write(`${name}/paths/parcels.yaml`, PATH);
  await write(`${name}/schemas/parcel.yaml`, toSchemas(fields));
  return `${name}/openapi.yaml`;
}

describe("a document in several files", () => {
  test("is compared as one, and a change has the file and line where it is written", async () => {
    const before = await writeDocument("old", "    weight: { type: integer }\n");
    const after = await writeDocument("new", "    weight: { type: [integer, 'null'] }\n");
    const { changes } = await diffJson(before, after);
    expect(changes).toMatchObject([
      { rating: "breaking", rule: "type", file: join("new", "schemas", "parcel.yaml"), line: 7 },
    ]);
  });

  test("equal to the same in one file", async () => {
    const before = await writeDocument("several", "");
    const schema = `{ type: object, required: [id], properties: { id: { type: string }, parent: { $ref: "#/components/schemas/Parcel" } } }`;
    const inOne = ROOT.replace("    $ref: paths/parcels.yaml\n", PATH.replaceAll(/^/gm, "    "))
      .replace("../schemas/parcel.yaml#/Parcel", "#/components/schemas/Parcel")
      .trimEnd();
    await write("one.yaml", `${inOne}\ncomponents: { schemas: { Parcel: ${schema} } }\n`);
    expect(await diffJson(before, "one.yaml")).toMatchObject({ rating: "prose", refusal: null });
  });

  test("names that are keywords elsewhere are followed as any other", async () => {
    const root = `openapi: 3.1.0
info: { title: Parcels, version: 1.0.0 }
paths:
  /parcels:
    get:
      responses:
        default: { $ref: "answer.yaml" }
`;
    const answer = (schema: string) => `description: Parcels.
content:
  application/json:
    schema: { type: object, properties: { value: { $ref: "${schema}" } } }
`;
    for (const [name, type] of [
      ["text", "string"],
      ["number", "integer"],
    ] as const) {
      await write(`${name}/openapi.yaml`, root);
      await write(`${name}/answer.yaml`, answer("value.yaml"));
      await write(`${name}/value.yaml`, `type: ${type}\n`);
    }
    const { changes } = await diffJson("text/openapi.yaml", "number/openapi.yaml");
    expect(changes).toMatchObject([
      { rule: "type", pointer: "#/x-files/value.yaml/type", file: join("number", "value.yaml") },
    ]);
  });

  test.each([
    ["paths/none.yaml", "broken/paths/none.yaml does not exist"],
    ["5%.yaml", "broken/5%.yaml does not exist"],
    ["https://example.com/p.yaml", "references to other hosts are not fetched"],
  ])("a reference to %s is refused", async (target, fault) => {
    await write("broken/openapi.yaml", ROOT.replace("paths/parcels.yaml", target));
    const { code, stderr } = await diff("broken/openapi.yaml", "broken/openapi.yaml");
    expect(code).toBe(2);
    expect(stderr.replaceAll(/\s+/g, " ")).toContain(fault);
  });
});

describe("decisions of the API's owner", () => {
  let documents: readonly [string, string];
  beforeAll(async () => {
    documents = [
      await writeDocument("released", "    weight: { type: integer }\n"),
      await writeDocument("changed", "    weight: { type: number }\n"),
    ];
  });

  test("a rule is overruled by its id", async () => {
    expect(await diff(...documents)).toMatchObject({ code: 1 });
    expect(await diff(...documents, "--rule", "type=additive")).toMatchObject({ code: 0 });
    expect(await diffJson(...documents, "--rule", "type=off")).toMatchObject({ rating: "prose" });
  });

  test.each([
    ["typo=off", "There is no rule typo: call-media diff --help lists them."],
    ["type=loud", "A severity is one of on, off, breaking, additive, prose."],
  ])("--rule %s is refused", async (rule, fault) => {
    const { code, stderr } = await diff(...documents, "--rule", rule);
    expect(code).toBe(2);
    expect(stderr.replaceAll(/\s+/g, " ")).toContain(fault);
  });

  test("severities may stand in a file, which --rule overrules", async () => {
    await write("rules.yaml", "type: additive\nfield-order: on\n");
    expect(await diff(...documents, "--rules", "rules.yaml")).toMatchObject({ code: 0 });
    const both = ["--rules", "rules.yaml", "--rule", "type"];
    expect(await diff(...documents, ...both)).toMatchObject({ code: 1 });
  });

  test.each([
    ["typo: off", "has an unknown field typo: it may have additionalProperties,"],
    ["type: loud", "type is loud, and a severity is one of on, off, breaking, additive, prose"],
    ["type: 1", "type must be a text that is not empty"],
  ])("the severities %j are refused", async (text, fault) => {
    await write("wrong-rules.yaml", text);
    const { code, stderr } = await diff(...documents, "--rules", "wrong-rules.yaml");
    expect(code).toBe(2);
    expect(stderr.replaceAll(/\s+/g, " ")).toContain(fault);
  });

  const writeKnown = async (reason: string): Promise<void> => {
    const { changes } = await diffJson(...documents);
    const [{ rule, pointer }] = changes;
    await write("known.json", JSON.stringify([{ rule, pointer, reason }]));
  };

  test("an accepted change does not fail, and is shown with its reason", async () => {
    await writeKnown("Every client reads numbers.");
    const judged = await diffJson(...documents, "--expect", "known.json");
    expect(judged).toMatchObject({
      refusal: null,
      changes: [],
      expected: [{ rule: "type", reason: "Every client reads numbers." }],
    });
    const { stdout } = await diff(...documents, "--expect", "known.json", "--format", "junit");
    expect(stdout).toContain("expected: Every client reads numbers.");
  });

  test("an entry that fits no change fails", async () => {
    await writeKnown("Every client reads numbers.");
    const { code, stdout } = await diff(documents[0], documents[0], "--expect", "known.json");
    expect(code).toBe(1);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("not there any more, take them out: type at");
  });

  test.each([
    ["[]x", "is neither JSON nor YAML"],
    ["rule: type", "must be a list of"],
    ["- { rule: type, pointer: '#' }", "entry 1 (type #) gives no reason"],
    ["- { rule: typo, pointer: '#', reason: why }", "entry 1: no rule typo"],
  ])("the list %j is refused", async (text, fault) => {
    await write("wrong.yaml", text);
    const { code, stderr } = await diff(...documents, "--expect", "wrong.yaml");
    expect(code).toBe(2);
    expect(stderr.replaceAll(/\s+/g, " ")).toContain(fault);
  });
});

test.each([
  ["pipe", "pipe is a pipe or device and not a file"],
  ["/dev/zero", "/dev/zero is a pipe or device and not a file"],
  [".", ". is a folder"],
])("%s is rejected immediately, because it is not a file", async (file, fault) => {
  await promisify(execFile)("mkfifo", ["pipe"], { cwd: folder }).catch(() => {}); // it is there from the case before
  const { code, stderr } = await diff(file, file);
  expect(code).toBe(2);
  expect(stderr).toContain(fault);
});

test("a document may come by a pipe that the shell has opened", async () => {
  await write("piped.yaml", "openapi: 3.1.0\ninfo: { version: 1.0.0 }\npaths: {}\n");
  const command = `exec "$0" "$1" diff <(cat piped.yaml) piped.yaml`;
  const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
  const ended = promisify(execFile)("bash", ["-c", command, process.execPath, main], {
    cwd: folder,
  });
  expect((await ended).stdout).toBe("Nothing has changed since 1.0.0.\n");
});

test("a document whose alias stands for what it is in is refused", async () => {
  await write("endless.yaml", "x-endless: &all { inner: *all }\n");
  const { code, stderr } = await diff("endless.yaml", "endless.yaml");
  expect(code).toBe(2);
  expect(stderr.replaceAll(/\s+/g, " ")).toContain("an alias, *name, that stands for");
});

test("versions that are dates are compared all the same", async () => {
  const [before, after] = ["2026-01-01", "2026-02-01"].map((version) =>
    ROOT.replace("1.0.0", `"${version}"`).replace(
      "$ref: paths/parcels.yaml",
      "get: { responses: {} }",
    ),
  );
  await write("january.yaml", before ?? "");
  await write("february.yaml", `${after}  /boxes:\n    get: { responses: {} }\n`);
  expect(await diffJson("january.yaml", "february.yaml", "--fail-on", "version")).toMatchObject({
    rating: "additive",
    refusal: null,
  });
  expect(await diffJson("february.yaml", "january.yaml")).toMatchObject({
    rating: "breaking",
    refusal: expect.stringContaining("only a version of the form 1.2.3 can announce"),
  });
});
