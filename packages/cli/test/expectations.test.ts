// What an expectation excuses, and when it is stale.
import { expect, test } from "vitest";
import { applyExpectations, type Expectation } from "../src/check/expectations.ts";
import { finding, kept, silent } from "./support/reports.ts";

const { expected: _expected, stale: _stale, ...rest } = kept;
const none = { ...rest, kept: ["answer.complete", "auth.missing", "range.days"] };
const found = { ...rest, verdict: "drift", findings: [finding, silent] } as const;

const reason = "mended in version 4";
const ofDays: Expectation = { requirement: "range.days", reason };
const ofSilence: Expectation = { requirement: "answer.complete", reason };

test("what is expected no longer counts", () => {
  expect(applyExpectations(found, [ofDays, ofSilence])).toMatchObject({
    verdict: "kept",
    findings: [],
    expected: [
      { requirement: "range.days", reason },
      { requirement: "answer.complete", reason },
    ],
    stale: [],
  });
});

test("what is not expected still does", () => {
  expect(applyExpectations(found, [ofDays])).toMatchObject({
    verdict: "drift",
    findings: [silent],
  });
  expect(applyExpectations(found, [])).toEqual({ ...found, expected: [], stale: [] });
});

test("an expectation of an operation excuses that operation alone", () => {
  const other: Expectation = { ...ofDays, operation: "searchMetadataByCustomFields" };
  const judged = applyExpectations(found, [other, ofSilence]);
  expect(judged).toMatchObject({ verdict: "drift", findings: [finding], stale: [other] });
});

test("an expectation that nothing was found for is stale and fails", () => {
  expect(applyExpectations(none, [ofDays])).toMatchObject({ verdict: "drift", stale: [ofDays] });
});

test("only what was checked can be stale", () => {
  const unchecked: Expectation = { requirement: "chat.order", reason };
  expect(applyExpectations(none, [unchecked]).stale).toEqual([]);
  // Of the other yardstick: neither kept, nor found, nor left out.
  expect(applyExpectations(none, [{ requirement: "page.base", reason }]).stale).toEqual([]);
  expect(applyExpectations(none, [ofDays], ["listUsers"]).stale).toEqual([]);
  const named: Expectation = { ...ofDays, operation: "searchMetadata" };
  expect(applyExpectations(none, [named], ["listUsers"]).stale).toEqual([]);
  expect(applyExpectations(none, [named], ["searchMetadata"]).stale).toEqual([named]);
});

test("a run that ended early stays without a verdict when all it found was expected", () => {
  const early = { ...found, reason: "the budget of 10 requests is used up" };
  expect(applyExpectations(early, [ofDays, ofSilence]).verdict).toBe("unable");
  expect(applyExpectations(early, [ofDays]).verdict).toBe("drift");
  expect(applyExpectations({ ...early, findings: [] }, [ofDays]).stale).toEqual([]);
});
