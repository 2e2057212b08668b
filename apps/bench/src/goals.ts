// What the service is to keep to, as ratios of one run, and what was measured of it.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

export interface Goal {
  /** What is measured, and against what. */
  readonly what: string;
  /** Undefined when something that it takes is not on this machine. */
  readonly measured: number | undefined;
  readonly limit: number;
  readonly is: "at most" | "at least";
}

type Line = readonly string[];

/** A head and a line for each goal. */
export function toGoalLines(goals: readonly Goal[]): Line[] {
  const lines = goals.map((goal) => [
    goal.what,
    `${goal.is} ${goal.limit}`,
    goal.measured?.toFixed(2) ?? "",
    toVerdict(goal),
  ]);
  return [["figure", "goal", "measured", "kept"], ...lines];
}

function toVerdict({ measured, limit, is }: Goal): string {
  if (measured === undefined) return "not measured";
  return (is === "at most" ? measured <= limit : measured >= limit) ? "yes" : "no";
}

const README = fileURLToPath(new URL("../README.md", import.meta.resolve("@call-media/server")));
const MARKS = /(<!-- figures: [^>]*-->\n).*(<!-- \/figures -->)/s;

/** Puts the goals between the marks in the server's README, under a line that says where and when they were measured. */
export async function writeGoals(goals: readonly Goal[], where: string): Promise<void> {
  const text = await readFile(README, "utf8");
  if (!MARKS.test(text)) throw new Error(`${README} has no marks for the figures`);
  const table = toMarkdown(toGoalLines(goals));
  await writeFile(
    README,
    text.replace(
      MARKS,
      (_, start: string, end: string) => `${start}\n${where}\n\n${table}\n${end}`,
    ),
  );
}

// In columns of equal width, as the formatter has it.
function toMarkdown(lines: readonly Line[]): string {
  const [head = []] = lines;
  const widths = head.map((_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? "").length)),
  );
  const isNumber = (column: number) => column === 2;
  const toRow = (line: Line) =>
    `| ${line.map((cell, column) => (isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0))).join(" | ")} |\n`;
  const rule = widths.map((width, column) =>
    isNumber(column) ? `${"-".repeat(width - 1)}:` : "-".repeat(width),
  );
  return [head, rule, ...lines.slice(1)].map(toRow).join("");
}
