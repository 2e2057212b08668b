// Standard output: for what is printed bit by bit, and for what is at hand.
import { once } from "node:events";
import { DONE } from "../exit-codes.ts";
import { console, io } from "../io.ts";
import { toPrintable } from "./paint.ts";

/** Text, or the bytes of a file that is none. */
export type Content = string | Uint8Array;

export type Write = (content: Content) => Promise<void>;

/** As fast as it is read, until whoever reads has seen enough: then it ends the program, with 0, as no more need be asked for. */
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

/** What programs read. */
export function printJson(value: unknown): void {
  printText(JSON.stringify(value, undefined, 2));
}

/** What a service wrote must not steer a terminal. In JSON it stays the same text; elsewhere it is unchanged. */
const toShown = (text: string) => (io().stdout.isTTY ? toPrintable(text) : text);
