// The report for a terminal: grouped by requirement, each finding with the command that reproduces it.
import type { Observation } from "@call-media/conformance";
import { type Paint, toCounted, toPrintable, wrap } from "@call-media/terminal";
import type { CheckedFinding, CheckedReport } from "./checked-report.ts";
import { toTrafficWords } from "./traffic-words.ts";
import {
  type Entry,
  foldSame,
  groupSkipped,
  toAlsoLines,
  toCameLines,
  toEntryName,
  toLeftWords,
  toRecordedLines,
  toSeenParts,
  toSelfTestLines,
  toSentLines,
  toSourceWords,
  toSummaryLine,
  toVerdictLine,
} from "./words.ts";

export interface TextOptions {
  /** Columns that a line may have; a command to paste is never broken. */
  readonly width: number;
  readonly paint: Paint;
}

interface Named extends Entry {
  readonly reason: string;
}

/** Number of findings of a requirement shown with request and response. Further ones mostly repeat them in other places. */
const MOST_WHOLE = 3;

const VERDICT_STYLES = { kept: "green", drift: "red", unable: "yellow" } as const;

const NO_RULES =
  "Not looked at without relations: filters, pages, orders, totals, and whether a change is kept. --init writes a first file for --relations.";

export function toText(report: CheckedReport, options: TextOptions): string {
  const { width, paint } = options;
  const groups = Map.groupBy(report.findings, ({ requirement }) => requirement);
  const plain = (text: string) => wrap(text, { width, indent: "" });
  return [
    plain(`${report.baseUrl} ${paint("dim", `against ${report.against}`)}`),
    ...[...groups.values()].map((group) => toGroup(group, options)),
    ...toExpectedLines(report, options),
    ...toTrafficLines(report, options),
    ...toSkippedLines(report, options),
    ...toLeftLines(report, options),
    ...toSecretLines(report.findings).map(plain),
    ...toSelfTestLines(report.selfTest).map(plain),
    ...toSeenLines(report, options),
    plain(paint(VERDICT_STYLES[report.verdict], toPrintable(toVerdictLine(report)))),
    ...(report.hasRules === false ? [plain(NO_RULES)] : []),
    plain(`${toSummaryLine(report)}${toOpenWords(report.questions ?? [])}`),
  ].join("\n\n");
}

function toGroup(group: readonly CheckedFinding[], { width, paint }: TextOptions): string {
  const [first] = group;
  if (first === undefined) return "";
  const { requirement, says } = first;
  const block = (text: string) => wrap(toPrintable(text), { width, indent: "  " });
  const folded = foldSame(group);
  const heading = `${requirement}  ${paint("dim", toCounted(group.length, "finding"))}`;
  return [
    paint("bold", heading),
    block(says),
    paint("dim", block(`Source: ${toSourceWords(first)}`)),
    ...folded.slice(0, MOST_WHOLE).map((finding) => `\n${toFinding(finding, { width, paint })}`),
    ...toFurtherLines(folded.slice(MOST_WHOLE), { width, paint }),
  ].join("\n");
}

function toFurtherLines(
  further: readonly CheckedFinding[],
  { width, paint }: TextOptions,
): string[] {
  if (further.length === 0) return [];
  const heading = `${further.length} more, with request and answer in --format json:`;
  const block = (text: string) => wrap(text, { width, indent: "  " });
  return ["", block(heading), ...further.map((one) => paint("red", block(toFaultWords(one))))];
}

/** "listUsers: the answer is 403 (7 times)" */
const toFaultWords = ({ operation, fault, times }: CheckedFinding) => {
  const told = times > 1 ? `${fault} (${times} times)` : fault;
  return toPrintable(operation === undefined ? told : `${operation}: ${told}`);
};

function toFinding(finding: CheckedFinding, { width, paint }: TextOptions): string {
  const { sent, curl } = finding;
  const labelled = (label: string, lines: readonly string[]) => {
    const text = lines.map(toPrintable).join("\n");
    // Wraps anywhere: JSON has few places to break lines like prose.
    const wrapped = wrap(text, { width, indent: " ".repeat(10), wordWrap: false });
    return `    ${paint("dim", label.padEnd(6))}${wrapped.trimStart()}`;
  };
  return [
    paint("red", wrap(toFaultWords(finding), { width, indent: "  " })),
    labelled("sent", toSentLines(sent)),
    labelled("came", toCameLines(finding)),
    ...toAlsoLines(finding).map((line) => labelled("also", [line])),
    ...toRecordedLines(finding).map((line) => labelled("seen", [line])),
    labelled("known", [`as fingerprint ${finding.fingerprint} in --expect`]),
    // Complete, so that it can be pasted. The terminal may fold the line.
    `    ${paint("dim", "again ")}${toPrintable(curl)}`,
  ].join("\n");
}

function toExpectedLines(
  { expected, stale }: CheckedReport,
  { width, paint }: TextOptions,
): string[] {
  const block = (text: string, indent: string) => wrap(toPrintable(text), { width, indent });
  const toBlock = (heading: string, entries: readonly Named[]) => {
    if (entries.length === 0) return [];
    const lines = entries.map((entry) => block(`${toEntryName(entry)} (${entry.reason})`, "  "));
    return [[paint("bold", block(heading, "")), ...lines].join("\n")];
  };
  return [
    ...toBlock("Expected differences", expected),
    ...toBlock("Expected, but not found any more: take these entries out", stale),
  ];
}

function toTrafficLines({ traffic }: CheckedReport, { width, paint }: TextOptions): string[] {
  if (traffic === undefined) return [];
  const { judged, leftOut, unknown } = toTrafficWords(traffic);
  const block = (heading: string, texts: readonly string[]) => {
    const lines = texts.map((text) => wrap(toPrintable(text), { width, indent: "  " }));
    return lines.length === 0 ? [] : [[paint("bold", heading), ...lines].join("\n")];
  };
  return [
    ...block("Recorded traffic", [judged, ...leftOut.map((text) => `left out: ${text}`)]),
    ...block("Requests of no operation of the document", unknown),
  ];
}

function toSkippedLines(report: CheckedReport, { width, paint }: TextOptions): string[] {
  const lines = groupSkipped(report).map(({ why, names }) =>
    wrap(toPrintable(`${why}: ${names}`), { width, indent: "  " }),
  );
  return lines.length === 0 ? [] : [[paint("bold", "Not checked"), ...lines].join("\n")];
}

function toSeenLines({ shown }: CheckedReport, { width, paint }: TextOptions): string[] {
  const lines = toSeenParts(shown).map(({ what, share, missing }) => {
    const not = missing === "" ? "" : `; not: ${missing}`;
    return wrap(toPrintable(`${share} ${what}${not}`), { width, indent: "  " });
  });
  return lines.length === 0 ? [] : [[paint("bold", "Seen of the document"), ...lines].join("\n")];
}

function toLeftLines({ left = [] }: CheckedReport, { width, paint }: TextOptions): string[] {
  const lines = left.map((one) => wrap(toPrintable(toLeftWords(one)), { width, indent: "  " }));
  return lines.length === 0
    ? []
    : [[paint("bold", "Created and still there: delete it yourself"), ...lines].join("\n")];
}

// Commands contain placeholders such as $TOKEN for secrets.
function toSecretLines(findings: readonly CheckedFinding[]): string[] {
  const names = new Set(findings.flatMap(({ curl }) => curl.match(/\$[A-Z_]+/g) ?? []));
  if (names.size === 0) return [];
  return [
    `To see a finding again, set ${[...names].join(", ")} in the shell and paste its command.`,
  ];
}

function toOpenWords(observations: readonly Observation[]): string {
  const others = observations.filter(({ agrees }) => !agrees).map(({ decision }) => decision);
  if (observations.length === 0) return "";
  const words = others.length === 0 ? "none" : [...new Set(others)].join(", ");
  return ` Open questions answered otherwise than this project does: ${words} ("call-media probe" shows them).`;
}
