// The report as JUnit XML, which CI services show as tests: one test per requirement.
import { type Outcome, toJunitXml } from "../reports/junit-xml.ts";
import { PROGRAM } from "../version.ts";
import type { CheckedFinding, CheckedReport } from "./checked-report.ts";
import {
  toCameLines,
  toEntryName,
  toLeftWords,
  toRecordedLines,
  toSentLines,
  toSourceWords,
  toVerdictLine,
} from "./words.ts";

export function toJunit(report: CheckedReport): string {
  const outcomes = [
    ...toFailures(report.findings),
    ...toStale(report),
    ...toSkipped(report),
    ...toKept(report),
    ...toLeft(report),
    toRun(report),
  ];
  return toJunitXml({
    command: "check",
    suite: report.baseUrl,
    className: `${PROGRAM}.${report.against}`,
    outcomes,
  });
}

/** Each requirement fails once, with all of its findings. */
function toFailures(findings: readonly CheckedFinding[]): Outcome[] {
  const groups = Map.groupBy(findings, ({ requirement }) => requirement);
  return [...groups].map(([name, group]) => ({
    kind: "failure",
    name,
    message: group.map(({ fault }) => fault).join("; "),
    details: group.map(toDetails).join("\n\n"),
  }));
}

function toDetails(finding: CheckedFinding): string {
  const { operation, fault, says, curl, sent } = finding;
  return [
    operation === undefined ? fault : `${operation}: ${fault}`,
    `says:   ${says}`,
    `source: ${toSourceWords(finding)}`,
    `sent:   ${toSentLines(sent).join("\n")}`,
    `came:   ${toCameLines(finding).join("\n")}`,
    ...toRecordedLines(finding).map((line) => `seen:   ${line}`),
    `again:  ${curl}`,
    `fingerprint: ${finding.fingerprint}`,
  ].join("\n");
}

function toStale({ stale }: CheckedReport): Outcome[] {
  return stale.map((entry) => ({
    kind: "failure",
    name: `expected: ${toEntryName(entry)}`,
    message: `not found any more; it was expected because: ${entry.reason}`,
  }));
}

// A requirement that also has other findings is reported as a failure.
function toSkipped({ findings, expected, skipped }: CheckedReport): Outcome[] {
  const failed = new Set(findings.map(({ requirement }) => requirement));
  const reasons = new Map([
    ...skipped.map(({ requirement, why }) => [requirement, why] as const),
    ...expected.map(({ requirement, reason }) => [requirement, `expected: ${reason}`] as const),
  ]);
  return [...reasons]
    .filter(([requirement]) => !failed.has(requirement))
    .map(([name, message]) => ({ kind: "skipped", name, message }));
}

function toKept({ kept }: CheckedReport): Outcome[] {
  return kept.map((name) => ({ kind: "passed", name, message: "" }));
}

const toLeft = ({ left = [] }: CheckedReport): Outcome[] =>
  left.map((one) => ({
    kind: "skipped",
    name: `created and still there: ${one.operation}`,
    message: toLeftWords(one),
  }));

/** The run itself, with its duration. Shows an unfinished run, and proves that a run without findings took place. */
function toRun(report: CheckedReport): Outcome {
  const { reason, baseUrl, durationMs } = report;
  const run = { name: "run", durationMs };
  if (reason !== undefined)
    return { ...run, kind: "error", message: reason, details: toVerdictLine(report) };
  return { ...run, kind: "passed", message: baseUrl };
}
