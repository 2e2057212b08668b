// Wraps lines that begin with a label, such as those of an export's report, to the width of a terminal.
import { wrapAnsi } from "fast-wrap-ansi";

const LABEL = /^[a-z]+ +(?=\S)/;
const LABEL_WIDTH = 9;

/** Wraps text and indents it below its label. Words are not split, so that a digest can be copied. Other lines stay unchanged. */
export function foldLabelled(text: string, width: number): string {
  if (width === Infinity) return text;
  return text.replaceAll(/^.*$/gm, (line) => {
    const [label = ""] = LABEL.exec(line) ?? [];
    if (label.length !== LABEL_WIDTH) return line;
    const folded = wrapAnsi(line.slice(LABEL_WIDTH), Math.max(20, width - LABEL_WIDTH));
    return label + folded.replaceAll("\n", `\n${" ".repeat(LABEL_WIDTH)}`);
  });
}
