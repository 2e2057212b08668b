// Lines that begin with a label, such as those of a report of an export, in the width of a terminal.
import { wrapAnsi } from "fast-wrap-ansi";

const LABEL = /^[a-z]+ +(?=\S)/;
const LABEL_WIDTH = 9;

/** What does not fit goes on below, beside the label. Words stay whole, so that a digest can be copied; so do other lines. */
export function foldLabelled(text: string, width: number): string {
  if (width === Infinity) return text;
  return text.replaceAll(/^.*$/gm, (line) => {
    const [label = ""] = LABEL.exec(line) ?? [];
    if (label.length !== LABEL_WIDTH) return line;
    const folded = wrapAnsi(line.slice(LABEL_WIDTH), Math.max(20, width - LABEL_WIDTH));
    return label + folded.replaceAll("\n", `\n${" ".repeat(LABEL_WIDTH)}`);
  });
}
