// What an expectation excuses, and when it is stale.
import type { ApiFinding, ApiReport } from "@call-media/conformance";
import { expect, test } from "vitest";
import {
  applyExpectations as apply,
  type Expectation,
  wasSeenBy,
} from "../src/check/expectations.ts";
import { finding, found as whole, silent, toKept } from "./support/reports.ts";

const { expected: _expected, stale: _stale, ...rest } = whole;
const none = { ...rest, kept: ["answer.complete", "auth.missing", "range.days"].map(toKept) };
const found = { ...rest, verdict: "drift", findings: [finding, silent] } as const;

const applyExpectations = (report: ApiReport, entries: readonly Expectation[]) =>
  apply(report, entries, wasSeenBy(report));

const reason = "mended in version 4";
const toEntry = ({ requirement, fingerprint }: ApiFinding): Expectation => ({
  requirement,
  fingerprint,
  reason,
});
const [ofDays, ofSilence] = [toEntry(finding), toEntry(silent)];

test("an expected finding does not count", () => {
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

test("an unexpected finding still counts", () => {
  expect(applyExpectations(found, [ofDays])).toMatchObject({
    verdict: "drift",
    findings: [silent],
  });
  expect(applyExpectations(found, [])).toEqual({ ...found, expected: [], stale: [] });
});

test("an expectation excuses only its own fault, not another of the same requirement and operation", () => {
  const other = { ...finding, fingerprint: "00000000000000d9", fault: "A call of 2031 was found" };
  const report = { ...found, findings: [finding, other, silent] };
  const judged = applyExpectations(report, [ofDays, ofSilence]);
  expect(judged).toMatchObject({ verdict: "drift", findings: [other], stale: [] });
  const gone = { ...ofDays, fingerprint: "00000000000000d8" };
  expect(applyExpectations(found, [gone, ofSilence])).toMatchObject({
    verdict: "drift",
    findings: [finding],
    stale: [gone],
  });
});

test("an expectation that nothing was found for is stale and fails", () => {
  expect(applyExpectations(none, [ofDays])).toMatchObject({ verdict: "drift", stale: [ofDays] });
});

test("only what was checked can be stale", () => {
  const unchecked: Expectation = { ...ofDays, requirement: "chat.order" };
  expect(applyExpectations(none, [unchecked]).stale).toEqual([]);
  // The run checks another standard, which does not have this requirement.
  expect(applyExpectations(none, [{ ...ofDays, requirement: "page.base" }]).stale).toEqual([]);
  const named: Expectation = { ...ofDays, operation: "searchMetadataByCustomFields" };
  expect(applyExpectations(none, [named]).stale).toEqual([]);
  const here: Expectation = { ...ofDays, operation: "searchMetadata" };
  expect(applyExpectations(none, [here]).stale).toEqual([here]);
});

test("a run that ended early stays without a verdict when all it found was expected", () => {
  const early = { ...found, reason: "the budget of 10 requests is used up" };
  expect(applyExpectations(early, [ofDays, ofSilence]).verdict).toBe("unable");
  expect(applyExpectations(early, [ofDays]).verdict).toBe("drift");
  expect(applyExpectations({ ...early, findings: [] }, [ofDays]).stale).toEqual([]);
});
