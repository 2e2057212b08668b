// Proposes spans of a call to mute, in the format of `export --mute`. A person must listen to each first.
import { proposeSpans } from "@call-media/handover";
import { console, toCounted } from "@call-media/terminal";
import { stringify } from "csv-stringify/sync";
import type { Call } from "./look-up.ts";

const COLUMNS = ["call_id", "part", "from", "to", "reason"] as const;

/** Reports on standard error the number of card numbers without a time: their spans must be found by listening. */
export function toSpansCsv({ records, messages }: Call): string {
  const { spans, untimed } = proposeSpans(messages, records);
  if (untimed > 0)
    console.info(
      `${toCounted(untimed, "card number")} without a time in one recording: listen to all of them`,
    );
  return stringify([...spans], { header: true, columns: [...COLUMNS] }).trimEnd();
}
