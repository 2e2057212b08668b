// Prints help: its paragraphs are as wide as the terminal, its examples stay unchanged.
import { Help } from "commander";
import { io } from "../io.ts";

const USUAL_WIDTH = 80;

/** Longer lines are hard to read. */
const MAX_WIDTH = 100;

const PARAGRAPH = /^\S.*(?:\n\S.*)*$/gm;

export function printHelp(text: string): void {
  const width = Math.min(toWidth(), MAX_WIDTH);
  const wrap = (paragraph: string) => new Help().boxWrap(paragraph.replaceAll("\n", " "), width);
  io().stdout.write(text.replaceAll(PARAGRAPH, wrap));
}

/** The width of the terminal; 80 where the output goes elsewhere. A terminal that does not know its width says 0. */
export function toWidth(): number {
  return io().stdout.columns || USUAL_WIDTH;
}
