// The proof of the gate on labelled edits of the released document (D26).
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { edits } from "../edits/edits.ts";
import type { LabelledEdit } from "../edits/labelled-edit.ts";
import { isObject, type JsonObject } from "../src/json.ts";
import { compareByOwnRules, ownRules } from "../src/own-engine.ts";
import { applyEdit, findWrong, tryEdits } from "../src/proof.ts";
import { greatestOf, isGreater } from "../src/rating.ts";

async function readReleased(): Promise<JsonObject> {
  const document: unknown = JSON.parse(
    await readFile(new URL("../released/openapi.json", import.meta.url), "utf8"),
  );
  if (!isObject(document)) throw new Error("released/openapi.json is no document");
  return document;
}

const released = await readReleased();
const byOwnRules = edits.map((edit) => ({
  edit,
  findings: compareByOwnRules(released, applyEdit(released, edit)),
}));

test("every edit has an id of its own, and there are enough of each label", () => {
  expect(new Set(edits.map(({ id }) => id)).size).toBe(edits.length);
  const count = (label: string) => edits.filter(({ expected }) => expected === label).length;
  expect(["breaking", "additive", "prose"].map(count)).toEqual([
    expect.toSatisfy((n: number) => n >= 50),
    expect.toSatisfy((n: number) => n >= 25),
    expect.toSatisfy((n: number) => n >= 25),
  ]);
});

test("every rule of ours is needed by an edit", () => {
  const seen = new Set(byOwnRules.flatMap(({ findings }) => findings.map(({ rule }) => rule)));
  expect(ownRules.filter((rule) => !seen.has(rule))).toEqual([]);
});

test("our rules alone rate no edit above its label", () => {
  const tooHigh = byOwnRules.filter(
    ({ edit, findings }) =>
      edit.limit === undefined && isGreater(greatestOf(findings), edit.expected),
  );
  expect(tooHigh.map(({ edit }) => edit.id)).toEqual([]);
});

// An edit that our rules rate as labelled stays so, unless redocly rates it higher. Whether it does is tried on many edits
// at once, since a comparison takes half a second; the command `edits` tries each alone.
const isDecided = ({ edit, findings }: (typeof byOwnRules)[number]) =>
  greatestOf(findings) === edit.expected;

function allAtOnce(expected: "additive" | "prose"): LabelledEdit {
  const together = byOwnRules.filter(
    (tried) =>
      tried.edit.expected === expected &&
      tried.edit.limit === undefined &&
      (expected === "prose" || isDecided(tried)),
  );
  expect(together.length).toBeGreaterThanOrEqual(25);
  return {
    id: `all that is ${expected}`,
    expected,
    steps: together.flatMap(({ edit }) => edit.steps),
  };
}

test("what is additive or prose is rated no higher by redocly", async () => {
  const trials = await tryEdits(released, [allAtOnce("additive"), allAtOnce("prose")]);
  expect(findWrong(trials)).toEqual([]);
});

test("where our rules see too little, redocly gives the label; known limits are as they are said to be", async () => {
  const open = byOwnRules.filter(
    (tried) =>
      !isDecided(tried) && (tried.edit.expected !== "prose" || tried.edit.limit !== undefined),
  );
  expect(open.length).toBeGreaterThanOrEqual(25);
  expect(
    findWrong(
      await tryEdits(
        released,
        open.map(({ edit }) => edit),
      ),
    ),
  ).toEqual([]);
}, 120_000);
