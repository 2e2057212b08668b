// Which values may be the same in another form: what a service stores and shows differently is no drift.
import { expect, test } from "vitest";
import { isPruned, isSameInOtherForm } from "../src/values/normal.ts";

test.each([
  [" Ann ", "ann"],
  ["2031-03-07T10:00:00Z", "2031-03-07T11:00:00+01:00"],
  [
    ["a", "b"],
    ["b", "a"],
  ],
  [["a", "a"], ["a"]],
  [[{ name: "a" }], [{ name: "a", isIndexed: false }]],
  [["ann.org"], [{ id: "d1", domain: "ann.org" }]],
  ["u1", { id: "u1", name: "Ann" }],
])("%j may be shown as %j", (sent, came) => {
  expect(isSameInOtherForm(sent, came)).toBe(true);
});

test.each([
  ["Ann", "Bo"],
  [["a"], ["a", "b"]],
  [["a", "b"], ["a"]],
  [[{ name: "a" }], [{ name: "b" }]],
  [["ann.org"], [{ id: "d1", domain: "bo.org" }]],
  ["u1", { id: "u2", name: "Ann" }],
])("%j is not %j", (sent, came) => {
  expect(isSameInOtherForm(sent, came)).toBe(false);
});

test.each<readonly [name: string, sent: unknown, came: unknown, is: boolean]>([
  ["seriesIds", ["probe"], [], true],
  ["series_ids", ["a", "b"], ["a"], true],
  ["seriesIds", ["a"], ["b"], false],
  ["seriesIds", ["a"], ["a", "b"], false],
  ["tags", ["probe"], [], false],
])("%s: keys of nothing may be left out of %j: %j", (name, sent, came, is) => {
  expect(isPruned(name, sent, came)).toBe(is);
});
