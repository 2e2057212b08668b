// What the gate lets pass and what it refuses, on the released document and edits of it.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseCorrections, type Correction } from "../src/corrections.ts";
import { readReleased } from "../src/files.ts";
import { checkGate, type Verdict } from "../src/gate.ts";
import { giveSecondOpinion } from "../src/redocly.ts";
import { add, append, edit, remove, replace } from "./steps.ts";

const document = await readReleased();
if (document === undefined) throw new Error("the released document is missing");
// The tests speak of versions after 1.0.0, whatever was released last.
const released = { ...document, info: { ...(document["info"] as object), version: "1.0.0" } };

const path = "#/paths/~1chat~1by-call-id~1{call_id}";
const removal = remove(path);
const addition = append("#/components/parameters/UserStatus/schema/enum", "locked");
const prose = replace("#/info/title", "Archive");
const override = "#/paths/~1Token/post/security";

const packageNames = ["@call-media/api", "@call-media/server"];

let changesetFolder = "";
beforeEach(async () => {
  changesetFolder = await mkdtemp(join(tmpdir(), "contract-gate-test-"));
});
afterEach(async () => rm(changesetFolder, { recursive: true }));

interface Change {
  readonly step: typeof removal;
  readonly version: string;
  readonly changeset?: string;
  readonly corrections?: readonly Correction[];
}

async function check({ step, version, changeset, corrections = [] }: Change): Promise<Verdict> {
  const working = edit(released, [step, replace("#/info/version", version)]);
  if (changeset !== undefined) await writeFile(join(changesetFolder, "one.md"), changeset);
  return checkGate({ released, working, corrections, changesetFolder, packageNames });
}

const changesetOf = (bump: string, name = "@call-media/api") =>
  `---\n"${name}": ${bump}\n---\n\nWhat changes.\n`;

describe("a breaking change (D26)", () => {
  test("passes with a major version and a changeset that says so", async () => {
    const verdict = await check({
      step: removal,
      version: "2.0.0",
      changeset: changesetOf("major"),
    });
    expect(verdict).toMatchObject({ least: "breaking", faults: [] });
  });

  test("is listed last, after all lesser changes", async () => {
    const earlier = remove("#/paths/~1metadata~1search");
    const { findings } = await check({
      step: (edited) => [earlier, addition].forEach((step) => step(edited)),
      version: "2.0.0",
    });
    expect(findings.map(({ rating }) => rating)).toEqual(["additive", "breaking"]);
  });

  test.each(["1.0.0", "1.0.1", "1.1.0", "3.0.0"])("is refused as %s", async (version) => {
    const { faults } = await check({ step: removal, version, changeset: changesetOf("major") });
    expect(faults).toEqual([
      `info.version is ${version}; 1.0.0 was released and the change is breaking: it must be 2.0.0`,
    ]);
  });

  test("is refused where an operation loses its own list of credentials", async () => {
    const { least, faults } = await check({ step: remove(override), version: "1.0.1" });
    expect(least).toBe("breaking");
    expect(faults).toHaveLength(2);
  });
});

describe("an additive change", () => {
  test.each(["1.1.0", "2.0.0"])("passes as %s", async (version) => {
    const verdict = await check({ step: addition, version, changeset: changesetOf("minor") });
    expect(verdict).toMatchObject({ least: "additive", faults: [] });
  });

  test("is refused as a patch", async () => {
    const { faults } = await check({
      step: addition,
      version: "1.0.1",
      changeset: changesetOf("minor"),
    });
    expect(faults).toEqual([expect.stringContaining("it must be 1.1.0 or 2.0.0")]);
  });

  test.each([
    ["there is none", undefined],
    ["it says less", changesetOf("patch")],
    ["it names another package", changesetOf("minor", "@call-media/server")],
    ["it says nothing of what changes", '---\n"@call-media/api": minor\n---\n'],
  ])("is refused without a changeset: %s", async (_, changeset) => {
    const { faults } = await check({
      step: addition,
      version: "1.1.0",
      ...(changeset && { changeset }),
    });
    expect(faults).toEqual([expect.stringContaining('names "@call-media/api": minor, or more')]);
  });
});

test("a changeset of a package that there is not is refused", async () => {
  const stranger = '---\n"@call-media/api": patch\n"@call-media/clinet": patch\n---\n\nText.\n';
  const { faults } = await check({ step: prose, version: "1.0.1", changeset: stranger });
  expect(faults).toEqual([
    'a changeset in .changeset/ names "@call-media/clinet", which is none of packages/',
  ]);
});

describe("a change of prose", () => {
  test("asks for a patch and a changeset", async () => {
    expect(
      await check({ step: prose, version: "1.0.1", changeset: changesetOf("patch") }),
    ).toMatchObject({
      least: "prose",
      faults: [],
    });
    expect(
      (await check({ step: prose, version: "1.0.0", changeset: changesetOf("patch") })).faults,
    ).toHaveLength(1);
  });

  test("is what no rule has a word for", async () => {
    const other = (step: { [key: string]: unknown }) => {
      const info = step["info"] as { [key: string]: unknown };
      const { title, ...rest } = info;
      step["info"] = { ...rest, title };
    };
    const { findings } = await check({
      step: other,
      version: "1.0.1",
      changeset: changesetOf("patch"),
    });
    expect(findings).toEqual([expect.objectContaining({ rating: "prose", pointer: "#" })]);
  });
});

describe("redocly diff", () => {
  const ask = (step: typeof removal, least: Verdict["least"]) =>
    giveSecondOpinion({ released, working: edit(released, [step]) }, least);

  test("is heard where it rates a change higher", async () => {
    expect(await ask(removal, "prose")).toContain("rates the change breaking, these rules prose");
  });

  test("is not where it rates it the same or has nothing to rate", async () => {
    expect(await ask(removal, "breaking")).toBeUndefined();
    expect(await ask(removal, undefined)).toBeUndefined();
  });
});

describe("without a change", () => {
  const nothing = () => {};

  test("the document passes", async () => {
    const verdict = await checkGate({
      released,
      working: released,
      corrections: [],
      changesetFolder,
      packageNames,
    });
    expect(verdict).toEqual({ least: "none", findings: [], faults: [] });
  });

  test("another version is refused", async () => {
    const { faults } = await check({ step: nothing, version: "1.0.1" });
    expect(faults).toEqual([expect.stringContaining("nothing has changed: it must be 1.0.0")]);
  });

  test("the first document passes, as nothing was released", async () => {
    const verdict = await checkGate({
      released: undefined,
      working: released,
      corrections: [],
      changesetFolder,
      packageNames,
    });
    expect(verdict).toEqual({ least: undefined, findings: [], faults: [] });
  });
});

describe("a correction", () => {
  const pointer = "#/components/schemas/UserAddressRecord/properties/city/type";
  const mayBeNull = replace(pointer, ["string", "null"]);
  const reason = "The archive has addresses without a city, and always gave null for it.";
  const asPatch = { version: "1.0.1", changeset: changesetOf("patch") };

  test("makes a breaking change prose, in its place", async () => {
    const corrections = [{ pointer, reason }];
    expect(await check({ step: mayBeNull, ...asPatch, corrections })).toMatchObject({
      least: "prose",
      faults: [],
    });
  });

  test("is needed for that", async () => {
    expect(await check({ step: mayBeNull, ...asPatch })).toMatchObject({ least: "breaking" });
  });

  test("does not cover what lies below its place", async () => {
    const corrections = [{ pointer: "#/components/schemas/UserAddressRecord", reason }];
    const { least, faults } = await check({ step: mayBeNull, ...asPatch, corrections });
    expect(least).toBe("breaking");
    expect(faults[0]).toContain(
      "nothing beyond prose has changed at #/components/schemas/UserAddressRecord;",
    );
  });

  test("that is stale is refused, also before the first release", async () => {
    const corrections = [{ pointer, reason }];
    const { faults } = await check({ step: prose, ...asPatch, corrections });
    expect(faults).toEqual([expect.stringContaining(`changed at ${pointer}; take the entry out`)]);
    const first = await checkGate({
      released: undefined,
      working: released,
      corrections,
      changesetFolder,
      packageNames,
    });
    expect(first.faults).toHaveLength(1);
  });

  test.each([
    ["{}", "must be a list"],
    ['[{ "pointer": "paths", "reason": "x" }]', "entry 1 of corrections.json: pointer must be"],
    ['[{ "pointer": "#/paths", "reason": " " }]', "entry 1 of corrections.json: reason must say"],
    ['[{ "pointer": "#/paths", "reason": "x", "until": "y" }]', "until is not a known key"],
    [
      '[{ "pointer": "#/paths", "reason": "x" }, { "pointer": "#/paths", "reason": "y" }]',
      "#/paths twice",
    ],
  ])("is read with care: %s", (text, message) => {
    expect(() => parseCorrections(text)).toThrow(message);
  });
});

describe("what cannot be judged is said", () => {
  test("a changeset that is none", async () => {
    await expect(
      check({ step: prose, version: "1.0.1", changeset: "no front matter" }),
    ).rejects.toThrow(/one\.md is not a changeset: .*missing or invalid frontmatter/);
  });

  test("a reference that leads nowhere", async () => {
    const step = add("#/paths/~1Token/get", {
      responses: { "200": { $ref: "#/components/responses/None" } },
    });
    await expect(check({ step, version: "1.1.0" })).rejects.toThrow("#/components/responses/None");
  });
});
