// The report for a pull request: a table, and the command that reproduces each finding.
import { toCell, toHtml, toTable } from "../reports/markdown-text.ts";
import { toPrintable } from "@call-media/terminal";
import type { CheckedFinding, CheckedReport } from "./checked-report.ts";
import { toTrafficWords } from "./traffic-words.ts";
import {
  foldSame,
  groupSkipped,
  toAlsoLines,
  toCameLines,
  toLeftWords,
  toRecordedLines,
  toSeenParts,
  toSelfTestLines,
  toSentLines,
  toSourceWords,
  toSummaryLine,
  toVerdictLine,
} from "./words.ts";

const MARKS = { kept: "\u2705", drift: "\u274c", unable: "\u26a0\ufe0f" } as const;

export function toMarkdown(report: CheckedReport): string {
  const { baseUrl, verdict, findings, expected, stale, left = [], selfTest, traffic } = report;
  const recorded = traffic && toTrafficWords(traffic);
  return [
    `## ${MARKS[verdict]} ${toCell(toVerdictLine(report))}`,
    `${toCell(baseUrl)}: ${toCell(toSummaryLine(report))}`,
    ...toSelfTestLines(selfTest).map(toCell),
    ...toTable(
      ["Requirement", "Operation", "What is wrong", "What must hold", "Source"],
      findings.map((finding) => [
        finding.requirement,
        finding.operation ?? "",
        finding.fault,
        finding.says,
        toSourceWords(finding),
      ]),
    ),
    ...foldSame(findings).map(toDetails),
    ...toTable(
      ["Expected difference", "Operation", "What is wrong", "Reason"],
      expected.map(toReasonCells),
    ),
    ...toTable(
      ["Expected, but not found any more", "Operation", "What was wrong", "Reason"],
      stale.map(toReasonCells),
    ),
    ...(recorded === undefined ? [] : [toCell(recorded.judged)]),
    ...toTable(["Left out of the recorded traffic"], recorded?.leftOut.map((text) => [text]) ?? []),
    ...toTable(
      ["Requests of no operation of the document"],
      recorded?.unknown.map((text) => [text]) ?? [],
    ),
    ...toTable(
      ["Not checked", "Why"],
      groupSkipped(report).map(({ why, names }) => [names, why]),
    ),
    ...toTable(
      ["Seen of the document", "", "Not seen"],
      toSeenParts(report.shown).map(({ what, share, missing }) => [what, share, missing]),
    ),
    ...toTable(
      ["Created and still there"],
      left.map((one) => [toLeftWords(one)]),
    ),
  ].join("\n\n");
}

function toReasonCells(entry: {
  requirement: string;
  operation?: string;
  fault?: string;
  reason: string;
}): string[] {
  return [entry.requirement, entry.operation ?? "", entry.fault ?? "", entry.reason];
}

function toDetails(finding: CheckedFinding): string {
  const { requirement, operation, fault, sent, curl } = finding;
  const text = [
    "sent",
    ...toSentLines(sent),
    "",
    "came",
    ...toCameLines(finding),
    "",
    "again",
    curl,
    "",
    `fingerprint ${finding.fingerprint}`,
    ...toAlsoLines(finding).map((line) => `also ${line}`),
    ...toRecordedLines(finding).map((line) => `seen ${line}`),
  ].join("\n");
  const summary = [requirement, operation, fault].filter((part) => part !== undefined).join(", ");
  // A fence longer than any in the text cannot be closed by it.
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `<details><summary>${toHtml(summary)}</summary>\n\n${fence}text\n${toPrintable(text)}\n${fence}\n\n</details>`;
}
