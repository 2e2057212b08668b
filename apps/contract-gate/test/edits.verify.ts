// The proof of the rules on labelled edits of the released document (D26).
import { expect, test } from "vitest";
import { edits } from "../edits/edits.ts";
import { readReleased } from "../src/files.ts";
import { findWrong, rateByRules, toTable } from "../src/proof.ts";
import { readSection } from "./readme.ts";

const released = await readReleased();
if (released === undefined) throw new Error("there is no released document");
const rated = rateByRules(released, edits);

test("every edit has an id of its own, and there are enough of each label", () => {
  expect(new Set(edits.map(({ id }) => id)).size).toBe(edits.length);
  const count = (label: string) => edits.filter(({ expected }) => expected === label).length;
  expect(["breaking", "additive", "prose"].map(count)).toEqual([
    expect.toSatisfy((n: number) => n >= 50),
    expect.toSatisfy((n: number) => n >= 25),
    expect.toSatisfy((n: number) => n >= 25),
  ]);
});

test("every edit is rated as labelled", () => {
  expect(findWrong(rated)).toEqual([]);
});

test("the table of the README is the one of the labelled edits", async () => {
  expect(await readSection("How the gate is tested")).toContain(`\n${toTable(rated)}\n`);
});
