// Standard output: for what is printed bit by bit, and for what is at hand.
import { once } from "node:events";
import { DONE } from "../exit-codes.ts";
import { console, io } from "../io.ts";
import { toPrintable } from "./paint.ts";

export type Write = (text: string) => Promise<void>;

/** As fast as it is read, until whoever reads has seen enough: then it ends the program, with 0, as no more need be asked for. */
export function openOutput(): Write {
  io().stdout.once("error", () => process.exit(DONE));
  return async (text) => {
    if (text !== "" && !io().stdout.write(toShown(text))) await once(io().stdout, "drain");
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
