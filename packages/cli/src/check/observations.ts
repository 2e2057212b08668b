// Shows in a table what a service does where the interface leaves it open, next to the decisions.
import { wrapAnsi } from "fast-wrap-ansi";
import type { ApiReport, Observation } from "@call-media/conformance";
import { toCell, toTable } from "../reports/markdown-text.ts";
import { type Paint, toCounted, toPrintable } from "@call-media/terminal";
import type { TextOptions } from "./text.ts";

const HEADINGS = ["Decision", "Question", "Observed", "Ours", "Same"] as const;

const toCells = ({ decision, question, observed, ours, agrees }: Observation) =>
  [decision, question, observed, ours, agrees ? "yes" : "no"] as const;

const GAP = "  ";

const REGISTER = Array.from({ length: 29 }, (_, index) => `D${String(index + 1).padStart(2, "0")}`);

/** The table in the width of the terminal. A decision with several questions appears once. */
export function toObservationText(report: ApiReport, { width, paint }: TextOptions): string {
  const fixed = HEADINGS[0].length + HEADINGS[4].length + 4 * GAP.length;
  const share = Math.max(12, Math.floor((width - fixed) / 3));
  const widths = [HEADINGS[0].length, share, share, share, HEADINGS[4].length];
  const groups = Map.groupBy(report.questions, ({ decision }) => decision);
  const blocks = [...groups.values()].map((group) => toBlock(group, widths, paint));
  return [
    report.baseUrl,
    [paint("bold", toLine(HEADINGS, widths)), ...blocks].join("\n"),
    wrapAnsi(toSum(report), width),
  ].join("\n\n");
}

function toBlock(group: readonly Observation[], widths: readonly number[], paint: Paint): string {
  const [first] = group;
  if (first === undefined) return "";
  const { decision, ours } = first;
  const [decisionLines, ourLines] = [toLines(decision, widths[0]), toLines(ours, widths[3])];
  const rows = group.flatMap((observation) => toRowLines(observation, widths));
  const height = Math.max(rows.length, ourLines.length);
  return Array.from({ length: height }, (_, index) => {
    const { question = "", observed = "", same = "", agrees = true } = rows[index] ?? {};
    const cells = [decisionLines[index] ?? "", question, observed, ourLines[index] ?? "", same];
    const line = toLine(cells, widths);
    return agrees ? line : paint("yellow", line);
  }).join("\n");
}

/** The lines of one observation in the columns that are its own. */
function toRowLines(observation: Observation, widths: readonly number[]) {
  const { question, observed, agrees } = observation;
  const [questions, answers] = [toLines(question, widths[1]), toLines(observed, widths[2])];
  return Array.from({ length: Math.max(questions.length, answers.length) }, (_, index) => ({
    question: questions[index] ?? "",
    observed: answers[index] ?? "",
    same: index > 0 ? "" : agrees ? "yes" : "no",
    agrees,
  }));
}

function toLines(text: string, width = 0): string[] {
  return wrapAnsi(toPrintable(text), width, { hard: true }).split("\n");
}

function toLine(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, index) => cell.padEnd(widths[index] ?? 0))
    .join(GAP)
    .trimEnd();
}

/** The table for a page or a pull request. */
export function toObservationTable(report: ApiReport): string {
  return [
    `## How ${toCell(report.baseUrl)} answers what the interface leaves open`,
    ...toTable(HEADINGS, report.questions.map(toCells)),
    toSum(report),
  ].join("\n\n");
}

function toSum({ questions, requests, durationMs }: ApiReport): string {
  const same = questions.filter(({ agrees }) => agrees).length;
  const observed = new Set(questions.map(({ decision }) => decision));
  const others = REGISTER.filter((decision) => !observed.has(decision));
  return [
    `${same} of ${toCounted(questions.length, "answer")} are as the decisions have them.`,
    // Read requests cannot show writing, TLS, events and versions, and not every archive shows the others.
    ...(others.length > 0 ? [`Nothing was observed of ${others.join(", ")}.`] : []),
    `${toCounted(requests, "request")} in ${(durationMs / 1000).toFixed(1)} s.`,
  ].join(" ");
}
