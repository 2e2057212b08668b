// Text of a service on a terminal: colour where it is wanted, and nothing that could steer the terminal.
import { styleText } from "node:util";

type Style = "bold" | "dim" | "red" | "green" | "yellow";

export type Paint = (style: Style, text: string) => string;

/** Colours for a terminal; plain text elsewhere and where NO_COLOR is set. */
export function createPaint(stream: NodeJS.WritableStream): Paint {
  return (style, text) => styleText(style, text, { stream });
}

/**
 * Control characters written out: an answer could hold escape sequences that rewrite what the reader sees. The end of a line is
 * one, however it is written.
 */
export function toPrintable(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(
    // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
