// The mapping files that ship: their samples are right, and every mistake in one of them shows.
import { expect, test } from "vitest";
import { ImportError } from "../src/index.ts";
import { parseFormatFile } from "../src/formats/mapping/format-of-mapping.ts";
import { listFaults } from "../src/formats/mapping/samples.ts";
import { shipped } from "../src/formats/mapping/shipped.ts";
import { listMutants } from "./support/mutants.ts";

const files = shipped.map((file) => ({ name: file.name, file }));

test.each(files)("$name reads its samples", async ({ file }) => {
  expect(await listFaults(file)).toEqual([]);
});

async function isRefused(mapping: object): Promise<boolean> {
  try {
    const faults = await listFaults(parseFormatFile(mapping));
    return faults.length > 0;
  } catch (error) {
    if (error instanceof ImportError) return true;
    throw error;
  }
}

test.each(files)(
  "$name: each of its names and patterns, misspelt, is refused",
  async ({ file: { given } }) => {
    const silent: string[] = [];
    for (const { what, mapping } of listMutants(given))
      if (!(await isRefused(mapping))) silent.push(what);
    expect(silent).toEqual([]);
  },
);
