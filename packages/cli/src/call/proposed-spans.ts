// Spans of a call that may have to be muted, in the form that `export --mute` reads: each is to be listened to first.
import { proposeSpans } from "@call-media/handover";
import { console, toCounted } from "@call-media/terminal";
import { stringify } from "csv-stringify/sync";
import type { Call } from "./look-up.ts";

const COLUMNS = ["call_id", "part", "from", "to", "reason"] as const;

/** Says on standard error how many numbers of cards have no time: which span is theirs has to be heard. */
export function toSpansCsv({ records, messages }: Call): string {
  const { spans, untimed } = proposeSpans(messages, records);
  if (untimed > 0)
    console.info(
      `${toCounted(untimed, "card number")} without a time in one recording: listen to all of them`,
    );
  return stringify([...spans], { header: true, columns: [...COLUMNS] }).trimEnd();
}
