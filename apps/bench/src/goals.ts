// The goals of the service, as ratios of interleaved measurements, and the measured figures.
import { readFile, writeFile } from "node:fs/promises";
import type { Line } from "./table.ts";

export interface Goal {
  /** The measured figure and its base; unique among the goals. */
  readonly what: string;
  /** Undefined if this machine lacks something that the measurement needs. */
  readonly measured: number | undefined;
  readonly limit: number;
  readonly is: "at most" | "at least";
}

const HEAD: Line = ["figure", "goal", "measured", "kept", "when"];

/** A head, and a line for each goal; `when` names the run that measured it. */
export function toGoalLines(goals: readonly Goal[], when: string): readonly Line[] {
  const lines = goals.map((goal) => {
    const { what, is, limit, measured } = goal;
    return [what, `${is} ${limit}`, measured?.toFixed(2) ?? "", toVerdict(goal), when];
  });
  return [HEAD, ...lines];
}

function toVerdict({ measured, limit, is }: Goal): string {
  if (measured === undefined) return "not measured";
  return (is === "at most" ? measured <= limit : measured >= limit) ? "yes" : "no";
}

const MARKED = /(?<=<!-- figures: [^>]*-->\n).*(?=<!-- \/figures -->)/s;

/** Writes the goals between the marks in this app's README, replacing those with the same first cell. */
export async function writeGoals(goals: readonly Goal[], when: string): Promise<void> {
  const file = new URL("../README.md", import.meta.url);
  const text = await readFile(file, "utf8");
  const [before] = MARKED.exec(text) ?? [];
  if (before === undefined) throw new Error(`${file.pathname} has no marks for the figures`);
  const lines = toGoalLines(goals, when);
  const table = new Map([...parseRows(before), ...lines].map((line) => [line[0], line]));
  await writeFile(
    file,
    text.replace(
      MARKED,
      `
${toMarkdown([...table.values()])}
`,
    ),
  );
}

function parseRows(markdown: string): readonly Line[] {
  return [
    HEAD,
    ...[...markdown.matchAll(/^\| (?!-)(.+) \|$/gm)].map(([, row = ""]) => toCells(row)),
  ];
}

const toCells = (row: string) => row.split("|").map((cell) => cell.trim());

const MEASURED = HEAD.indexOf("measured");

// Columns of equal width with numbers on the right, as the formatter writes them. The first of `lines` is the head.
function toMarkdown(lines: readonly Line[]): string {
  const widths = HEAD.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  const toCell = (text: string, column: number) =>
    column === MEASURED ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0);
  const toRule = (width: number, column: number) =>
    column === MEASURED ? `${"-".repeat(width - 1)}:` : "-".repeat(width);
  const [head = [], ...body] = lines.map((line) => line.map(toCell));
  return [head, widths.map(toRule), ...body].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}
