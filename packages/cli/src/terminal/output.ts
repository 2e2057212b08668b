// Writes to standard output.
import { once } from "node:events";
import { DONE } from "../exit-codes.ts";
import { console, io, toPrintable } from "@call-media/terminal";

/** Text, or bytes of a file. */
export type Content = string | Uint8Array;

export type Write = (content: Content) => Promise<void>;

/** Writes as fast as the reader reads. When the reader closes the pipe, the program exits with 0. */
export function openOutput(): Write {
  io().stdout.once("error", () => process.exit(DONE));
  return async (content) => {
    if (content.length === 0) return;
    const shown = typeof content === "string" ? toShown(content) : content;
    if (!io().stdout.write(shown)) await once(io().stdout, "drain");
  };
}

/** Text without colours. */
export function printText(text: string): void {
  console.log(toShown(text));
}

export function printJson(value: unknown): void {
  printText(JSON.stringify(value, undefined, 2));
}

/** Text of a service must not control a terminal. Escaped JSON is still the same JSON; pipes get the text unchanged. */
const toShown = (text: string) => (io().stdout.isTTY ? toPrintable(text) : text);
