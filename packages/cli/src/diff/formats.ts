// A comparison in every format: for people, for CI services, for code hosts and for a pull request.
import { createPaint, io, toPrintable, toTextWidth, wrap } from "@call-media/terminal";
import { toJunitXml } from "../reports/junit-xml.ts";
import { toCell, toTable } from "../reports/markdown-text.ts";
import { toRepositoryUri } from "../reports/repository-file.ts";
import { toSarifLog } from "../reports/sarif-log.ts";
import { PROGRAM } from "../version.ts";
import type { Change, JudgedDiff } from "./judged-diff.ts";
import { toVerdictWords } from "./words.ts";

export const DIFF_FORMATS = {
  text: toText,
  json: (diff: JudgedDiff) => JSON.stringify(diff, undefined, 2),
  junit: toJunit,
  sarif: toSarif,
  markdown: toMarkdown,
} as const;

const STYLES = { breaking: "red", additive: "green", prose: "dim" } as const;
const LEVELS = { breaking: "error", additive: "note", prose: "none" } as const;
const RATING_WIDTH = 10;

function toText(diff: JudgedDiff): string {
  const paint = createPaint(io().stdout);
  const width = toTextWidth();
  const block = (text: string, indent: string) => wrap(toPrintable(text), { width, indent });
  const toLines = (change: Change) => {
    const indent = " ".repeat(RATING_WIDTH);
    const label = paint(STYLES[change.rating], change.rating.padEnd(RATING_WIDTH));
    const text = block(change.message, indent).slice(RATING_WIDTH);
    return `${label}${text}\n${paint("dim", block(`${change.file}:${change.line} ${change.pointer}`, indent))}`;
  };
  const style = diff.refusal === null ? "green" : "red";
  const verdict = paint(style, block(toVerdictWords(diff), ""));
  return [...diff.changes.map(toLines), verdict].join("\n\n");
}

/** One test per change, which fails if the change breaks clients and is refused, and one for the version. */
function toJunit(diff: JudgedDiff): string {
  const { base, head, changes, expected, refusal, durationMs } = diff;
  const tests = changes.map((change) => ({
    kind:
      change.rating === "breaking" && refusal !== null ? ("failure" as const) : ("passed" as const),
    // A removed and an added item may have the same place, each in its own document.
    name: `${change.rating} ${change.rule} ${change.pointer}`,
    message: change.message,
    details: `${change.file}:${change.line}\n${change.message}`,
  }));
  const skipped = expected.map(({ rating, rule, pointer, reason }) => ({
    kind: "skipped" as const,
    name: `${rating} ${rule} ${pointer}`,
    message: `expected: ${reason}`,
  }));
  const version = {
    kind: refusal === null ? ("passed" as const) : ("failure" as const),
    name: "info.version",
    message: refusal ?? "",
    details: toVerdictWords(diff),
    durationMs,
  };
  return toJunitXml({
    command: "diff",
    suite: `${base} -> ${head}`,
    className: `${PROGRAM}.diff`,
    outcomes: [...tests, ...skipped, version],
  });
}

/** A change, or the fault of the version. */
interface Alert extends Pick<Change, "rule" | "message" | "pointer" | "file" | "line"> {
  readonly level: "error" | "note" | "none";
  /** The reason why it is accepted. */
  readonly reason?: string;
}

function toSarif({ head, changes, expected, refusal, versionLine }: JudgedDiff): string {
  const version = {
    rule: "info.version",
    message: refusal ?? "",
    pointer: "#/info/version",
    level: "error" as const,
    file: head,
    line: versionLine,
  };
  const found: readonly Alert[] = [
    ...[...changes, ...expected].map((change) => ({ ...change, level: LEVELS[change.rating] })),
    ...(refusal === null ? [] : [version]),
  ];
  const ids = [...new Set(found.map(({ rule }) => rule))];
  return toSarifLog({
    rules: ids.map((id) => ({ id })),
    invocation: { executionSuccessful: true },
    results: found.map(({ rule, level, message, file, line, pointer, reason }) => ({
      ruleId: rule,
      ruleIndex: ids.indexOf(rule),
      level,
      message: { text: message },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: toRepositoryUri(file) },
            region: { startLine: line },
          },
          logicalLocations: [{ fullyQualifiedName: pointer }],
        },
      ],
      partialFingerprints: { "ruleAndPlace/v1": `${rule} ${pointer}` },
      ...(reason !== undefined && {
        suppressions: [{ kind: "external" as const, justification: reason }],
      }),
    })),
  });
}

const MARKS = { breaking: "\u274c", additive: "\u2795", prose: "" } as const;

function toMarkdown(diff: JudgedDiff): string {
  const told = diff.changes.filter(({ rating }) => rating !== "prose");
  return [
    `## ${diff.refusal === null ? "\u2705" : "\u274c"} ${toCell(toVerdictWords(diff))}`,
    ...toTable(
      ["", "What has changed", "Where"],
      told.map((change) => [
        `${MARKS[change.rating]} ${change.rating}`.trim(),
        change.message,
        `${change.file}:${change.line}`,
      ]),
    ),
  ].join("\n\n");
}
