// Text broken into lines for a terminal.
import { wrapAnsi } from "fast-wrap-ansi";

interface Wrapping {
  readonly width: number;
  readonly indent: string;
  readonly wordWrap?: boolean;
}

/** Text in lines of at most `width` columns, each after `indent`; long words are broken. */
export function wrap(text: string, { width, indent, wordWrap = true }: Wrapping): string {
  const columns = Math.max(20, width - indent.length);
  const wrapped = wrapAnsi(text, columns, { hard: true, trim: wordWrap, wordWrap });
  return wrapped.replaceAll(/^/gm, indent);
}
