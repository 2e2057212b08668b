// The version numbers that announce a change.
import { expect, test } from "vitest";
import { findUnfitVersion, versionOf } from "../src/index.ts";

test.each([
  ["1.2.3", "1.2.3", "none"],
  ["1.2.3", "1.2.4", "prose"],
  ["1.2.3", "1.3.0", "prose"],
  ["1.2.3", "1.3.0", "additive"],
  ["1.2.3", "2.0.0", "breaking"],
  ["0.2.3", "0.3.0", "breaking"],
] as const)("%s may become %s when the change is %s", (earlier, later, rating) => {
  expect(findUnfitVersion(earlier, later, rating)).toBeUndefined();
});

test.each([
  ["1.2.3", "1.2.4", "none", "nothing has changed: it must be 1.2.3"],
  ["1.2.3", "1.2.3", "prose", "the change is prose: it must be 1.2.4 or 1.3.0 or 2.0.0"],
  ["1.2.3", "1.2.4", "additive", "the change is additive: it must be 1.3.0 or 2.0.0"],
  ["1.2.3", "1.3.0", "breaking", "the change is breaking: it must be 2.0.0"],
  ["1.2.3", "3.0.0", "breaking", "it must be 2.0.0"],
] as const)("%s may not become %s when the change is %s", (earlier, later, rating, fault) => {
  expect(findUnfitVersion(earlier, later, rating)).toContain(fault);
});

test.each([
  ["2026-09-01", "2026-10-01", "additive", "fits"],
  ["2026-09-01", "2026-09-01", "none", "fits"],
  ["2026-09-01", "2026-09-01", "additive", "the change is additive: it must be another"],
  ["v1", "v2", "breaking", "which only a version of the form 1.2.3 can announce"],
] as const)("a version of another form: %s to %s, %s", (earlier, later, rating, fault) => {
  expect(findUnfitVersion(earlier, later, rating) ?? "fits").toContain(fault);
});

test.each([
  [{ title: "Archive" }, "the document has no info.version"],
  [{ version: 1 }, 'info.version is 1, not a string: write it in quotes, such as "1.2.3"'],
  [{ version: null }, "info.version is null, not a string"],
])("the error distinguishes a missing version from one that is not a string: %j", (info, fault) => {
  expect(() => versionOf({ openapi: "3.1.0", info })).toThrow(fault);
});
