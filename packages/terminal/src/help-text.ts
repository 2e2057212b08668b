// Prints help: paragraphs are wrapped to the width of the terminal, examples stay unchanged.
import { Help } from "commander";
import { io } from "./io.ts";
import { toTextWidth } from "./terminal-width.ts";

/** Longer lines are hard to read. */
const MAX_WIDTH = 100;

const PARAGRAPH = /^\S.*(?:\n\S.*)*$/gm;

export function printHelp(text: string): void {
  const width = Math.min(toTextWidth(), MAX_WIDTH);
  const wrap = (paragraph: string) => new Help().boxWrap(paragraph.replaceAll("\n", " "), width);
  io().stdout.write(text.replaceAll(PARAGRAPH, wrap));
}
