// No dependency has a licence that requires more than keeping its text.
import { expect, test } from "vitest";
import { findLicenceFaults, listDependencies, toLicenceTable } from "../src/licences.ts";
import { repository } from "../src/run.ts";

test.each(["shipped", "development"] as const)("all that is %s may be used", async (scope) => {
  const dependencies = await listDependencies(repository, scope);
  expect(dependencies.map(({ name }) => name)).toEqual(expect.arrayContaining(["ajv", "js-yaml"]));
  expect(findLicenceFaults(dependencies, scope)).toEqual([]);
});

test.each(["GPL-3.0-only", "(MIT AND GPL-2.0-only)", "UNLICENSED", "SEE LICENSE IN x", "Unknown"])(
  "%s is refused",
  (license) => {
    const other = { name: "other", versions: ["1.0.0"], license };
    expect(findLicenceFaults([other], "development")).toEqual([`other 1.0.0: ${license}`]);
  },
);

test("one of two licences to choose from is enough", () => {
  const either = { name: "either", versions: ["1.0.0"], license: "(MIT OR GPL-3.0-or-later)" };
  expect(findLicenceFaults([either], "shipped")).toEqual([]);
});

test("what is allowed for tools is not allowed for what is shipped", () => {
  const tool = { name: "lightningcss-linux-x64-gnu", versions: ["1.0.0"], license: "MPL-2.0" };
  expect(findLicenceFaults([tool], "development")).toEqual([]);
  expect(findLicenceFaults([tool], "shipped")).toHaveLength(1);
});

test("the list names each with its licence", () => {
  const table = toLicenceTable([{ name: "ajv", versions: ["8.0.0", "8.1.0"], license: "MIT" }]);
  expect(table).toContain("| ajv | 8.0.0, 8.1.0 | MIT |  |");
});
