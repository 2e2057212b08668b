// The report as JUnit XML, which CI services show as tests: a test for each requirement.
import type { Finding } from "@call-media/conformance";
import type { JudgedReport } from "../expectations.ts";
import { PROGRAM } from "../version.ts";
import { toCameLines, toSentLines, toSourceWords, toVerdictLine } from "./words.ts";

type Attributes = Readonly<Record<string, string | number>>;

interface Outcome {
  readonly kind: "passed" | "failure" | "skipped" | "error";
  readonly name: string;
  readonly message: string;
  readonly details?: string;
}

export function toJunit(report: JudgedReport): string {
  const outcomes = [
    ...toFailures(report.findings),
    ...toStale(report),
    ...toSkipped(report),
    ...toKept(report),
    toRun(report),
  ];
  const count = (kind: Outcome["kind"]) =>
    outcomes.filter((outcome) => outcome.kind === kind).length;
  const totals = {
    tests: outcomes.length,
    failures: count("failure"),
    errors: count("error"),
    skipped: count("skipped"),
    time: report.durationMs / 1000,
  };
  const cases = outcomes.map((outcome) => toCase(outcome, report));
  const suite = element("testsuite", { name: report.baseUrl, ...totals }, cases.join("\n"));
  const root = element("testsuites", { name: `${PROGRAM} check`, ...totals }, suite);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}`;
}

/** A requirement fails once, with all that was found for it. */
function toFailures(findings: readonly Finding[]): Outcome[] {
  const groups = Map.groupBy(findings, ({ requirement }) => requirement);
  return [...groups].map(([name, group]) => ({
    kind: "failure",
    name,
    message: group.map(({ fault }) => fault).join("; "),
    details: group.map(toDetails).join("\n\n"),
  }));
}

function toDetails(finding: Finding): string {
  const { operation, fault, says, curl, sent } = finding;
  return [
    operation === undefined ? fault : `${operation}: ${fault}`,
    `says:   ${says}`,
    `source: ${toSourceWords(finding)}`,
    `sent:   ${toSentLines(sent).join("\n")}`,
    `came:   ${toCameLines(finding).join("\n")}`,
    `again:  ${curl}`,
  ].join("\n");
}

function toStale({ stale }: JudgedReport): Outcome[] {
  return stale.map(({ requirement, operation = "every operation", reason }) => ({
    kind: "failure",
    name: `expected: ${requirement}, ${operation}`,
    message: `not found any more; it was expected because: ${reason}`,
  }));
}

// An expected difference that fails beside others is in the failure's place already.
function toSkipped({ findings, expected, skipped }: JudgedReport): Outcome[] {
  const failed = new Set(findings.map(({ requirement }) => requirement));
  const reasons = new Map([
    ...skipped.map(({ requirement, why }) => [requirement, why] as const),
    ...expected.map(({ requirement, reason }) => [requirement, `expected: ${reason}`] as const),
  ]);
  return [...reasons]
    .filter(([requirement]) => !failed.has(requirement))
    .map(([name, message]) => ({ kind: "skipped", name, message }));
}

function toKept({ kept }: JudgedReport): Outcome[] {
  return kept.map((name) => ({ kind: "passed", name, message: "" }));
}

/** The run itself: one without an end must not look like one without a fault, nor one without a fault like none. */
function toRun(report: JudgedReport): Outcome {
  const { reason, baseUrl } = report;
  if (reason !== undefined)
    return { kind: "error", name: "run", message: reason, details: toVerdictLine(report) };
  return { kind: "passed", name: "run", message: baseUrl };
}

function toCase({ kind, name, message, details = "" }: Outcome, { against }: JudgedReport): string {
  const outcome = kind === "passed" ? "" : element(kind, { message }, escapeXml(details));
  return element("testcase", { classname: `${PROGRAM}.${against}`, name, time: 0 }, outcome);
}

function element(name: string, attributes: Attributes, content: string): string {
  const pairs = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeXml(String(value))}"`,
  );
  return `<${name}${pairs.join("")}>${content}</${name}>`;
}

/** XML 1.0 has no way to write most control characters, half of a surrogate pair, U+FFFE and U+FFFF. */
function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
      // A parser would turn a bare line break in an attribute into a space.
      .replaceAll(/[&<>"\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
  );
}
