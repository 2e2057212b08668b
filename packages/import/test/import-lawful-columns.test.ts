// A mapping that is right is not stopped by names and values that are only unusual.
import { expect, test } from "vitest";
import { bring } from "./support/bring-doubts.ts";
import { lawful } from "./support/lawful-layouts.ts";

test.each(lawful)("%s: nothing stops it", async (_, { mapping, rows }) => {
  const doubts = await bring(mapping, rows);
  expect(doubts.filter((one) => one.startsWith("stop"))).toEqual([]);
});

test("what is only unusual is said", async () => {
  const said = async (name: string) => {
    const { mapping, rows } = Object.fromEntries(lawful)[name] ?? { mapping: {}, rows: [] };
    return await bring(mapping, rows);
  };
  expect(await said("a disposition as free text")).toEqual(["warn columns: disposition: {Result}"]);
  expect(await said("a column called as a skill that is none")).toEqual([
    "warn columns: skill: {Team}, and there is {Skill Group}",
  ]);
  expect(await said("the answer as the time of the call")).toEqual([
    "warn columns: datetime: {Answer Time}, and there is {Start Time}",
  ]);
});
