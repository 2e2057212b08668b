// How a service answers the open questions, as a table beside the decisions.
import wrapAnsi from "wrap-ansi";
import type { Observation, Report } from "@call-media/conformance";
import { toCell, toTable } from "./markdown.ts";
import { type Paint, toPrintable } from "./paint.ts";
import type { TextOptions } from "./text.ts";
import { count } from "./words.ts";

const HEADINGS = ["Decision", "Question", "Observed", "Ours", "Same"] as const;

const toCells = ({ decision, question, observed, ours, agrees }: Observation) =>
  [decision, question, observed, ours, agrees ? "yes" : "no"] as const;

const GAP = "  ";

/** The table in the width of a terminal; long cells go on in the next line. */
export function toObservationText(report: Report, { width, paint }: TextOptions): string {
  const fixed = HEADINGS[0].length + HEADINGS[4].length + 4 * GAP.length;
  const share = Math.max(12, Math.floor((width - fixed) / 3));
  const widths = [HEADINGS[0].length, share, share, share, HEADINGS[4].length];
  const rows = report.observations.map((observation) =>
    toRow(toCells(observation), widths, (text) => paintRow(text, observation, paint)),
  );
  return [
    report.baseUrl,
    [toRow(HEADINGS, widths, (text) => paint("bold", text)), ...rows].join("\n"),
    toSum(report),
  ].join("\n\n");
}

function paintRow(text: string, { agrees }: Observation, paint: Paint): string {
  return agrees ? text : paint("yellow", text);
}

function toRow(
  cells: readonly string[],
  widths: readonly number[],
  paint: (text: string) => string,
): string {
  const columns = cells.map((cell, index) =>
    wrapAnsi(toPrintable(cell), widths[index] ?? 0, { hard: true }).split("\n"),
  );
  const height = Math.max(...columns.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) =>
    columns
      .map((lines, index) => (lines[line] ?? "").padEnd(widths[index] ?? 0))
      .join(GAP)
      .trimEnd(),
  )
    .map(paint)
    .join("\n");
}

/** The table for a page or a pull request. */
export function toObservationTable(report: Report): string {
  return [
    `## How ${toCell(report.baseUrl)} answers what the interface leaves open`,
    ...toTable(HEADINGS, report.observations.map(toCells)),
    toSum(report),
  ].join("\n\n");
}

function toSum({ observations, requests, durationMs }: Report): string {
  const same = observations.filter(({ agrees }) => agrees).length;
  return `${same} of ${observations.length} answers are as D01-D28 have them. ${count(requests, "request")} in ${(durationMs / 1000).toFixed(1)} s.`;
}
