// The mapping files that ship: their samples are right, and every mistake in one of them shows.
import { expect, test } from "vitest";
import { ImportError } from "../src/index.ts";
import { checkSamples } from "../src/formats/mapping/samples.ts";
import { shipped } from "../src/formats/mapping/shipped.ts";
import { listMutants } from "./support/mutants.ts";

const files = shipped.map(({ name, given }) => ({ name, given }));

test.each(files)("$name reads its samples", async ({ given }) => {
  expect(await checkSamples(given)).toEqual({ faults: [] });
});

const isRefused = async (mapping: object): Promise<boolean> =>
  await checkSamples(mapping).then(
    ({ faults }) => faults.length > 0,
    (error: unknown) => {
      if (error instanceof ImportError) return true;
      throw error;
    },
  );

test.each(files)(
  "$name: each of its names and patterns, misspelt, is refused",
  async ({ given }) => {
    const silent: string[] = [];
    for (const { what, mapping } of listMutants(given))
      if (!(await isRefused(mapping))) silent.push(what);
    expect(silent).toEqual([]);
  },
);
