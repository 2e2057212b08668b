// Prints the calls of a watch, and counts them.
import type { CallFilter } from "@call-media/conditions";
import type { CallRecord } from "@call-media/client";
import { createJsonLines } from "../search/formats/json.ts";
import { toCounted, toPrintable } from "@call-media/terminal";
import { openOutput } from "../terminal/output.ts";

export interface Printer {
  readonly print: (records: readonly CallRecord[]) => Promise<void>;
  /** "3 calls printed, the last of 2026-03-01T09:30:00". */
  readonly toAccount: () => string;
}

/** Prints a line of JSON for each record that matches. */
export function createPrinter(filter: CallFilter["filter"]): Printer {
  const write = openOutput();
  const { add } = createJsonLines({ columns: undefined });
  let count = 0;
  // Some services write a number.
  let latest: string | number | null = null;
  return {
    print: async (records) => {
      const wanted = await filter(records);
      await write(add(wanted));
      count += wanted.length;
      latest = wanted.at(-1)?.datetime ?? latest;
    },
    toAccount: () =>
      `${toCounted(count, "call")} printed${latest === null ? "" : `, the last of ${toPrintable(String(latest))}`}`,
  };
}
