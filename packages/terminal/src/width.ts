// Finds how many columns the output has, and wraps text to them.
import { Help } from "commander";
import { wrapAnsi } from "fast-wrap-ansi";
import { io } from "./io.ts";

const USUAL_WIDTH = 80;

/** For text: the width of the terminal, or 80 if the output goes elsewhere. A terminal that does not know its width reports 0. */
export function toTextWidth(): number {
  return io().stdout.columns || USUAL_WIDTH;
}

/** For tables and lists, which a program may read: Infinity if the output does not go to a terminal. */
export function toTableWidth(): number {
  return io().stdout.isTTY ? toTextWidth() : Infinity;
}

interface Wrapping {
  readonly width: number;
  readonly indent: string;
  readonly wordWrap?: boolean;
}

/** Wraps text to lines of at most `width` columns, each after `indent`; long words are broken. */
export function wrap(text: string, { width, indent, wordWrap = true }: Wrapping): string {
  const columns = Math.max(20, width - indent.length);
  const wrapped = wrapAnsi(text, columns, { hard: true, trim: wordWrap, wordWrap });
  return wrapped.replaceAll(/^/gm, indent);
}

/** Longer lines are hard to read. */
const MAX_WIDTH = 100;

const PARAGRAPH = /^\S.*(?:\n\S.*)*$/gm;

/** Paragraphs are wrapped to the width of the terminal, examples stay unchanged. */
export function printHelp(text: string): void {
  const width = Math.min(toTextWidth(), MAX_WIDTH);
  const toWrapped = (paragraph: string) =>
    new Help().boxWrap(paragraph.replaceAll("\n", " "), width);
  io().stdout.write(text.replaceAll(PARAGRAPH, toWrapped));
}
