// Prepares text of a service for a terminal: adds colour, and escapes what could control the terminal.
import { styleText } from "node:util";

type Style = "bold" | "dim" | "red" | "green" | "yellow";

export type Paint = (style: Style, text: string) => string;

/** Colours for a terminal; plain text elsewhere and where NO_COLOR is set. */
export function createPaint(stream: NodeJS.WritableStream): Paint {
  return (style, text) => styleText(style, text, { stream });
}

/**
 * Escapes characters that could change what the reader sees. These are control characters (escape sequences consist of them),
 * bidi control characters, and separators that some terminals treat as line ends. CR LF becomes LF.
 */
export function toPrintable(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(
    // oxlint-disable-next-line no-control-regex -- it looks for control characters
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
