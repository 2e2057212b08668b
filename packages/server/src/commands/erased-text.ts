// The extent of a purge as text. A call may have several records: holds count calls, purges what goes.
import { toPrintable } from "@call-media/service/printable";
import type { ErasedCounts } from "@call-media/store";
import { toCounted, toSize } from "@call-media/terminal";

export function toErasedText(counts: ErasedCounts, isSound = false): string {
  const { calls, chats, files, fileBytes } = counts;
  const sound = `${toCounted(files, "file")} of recordings (${toSize(fileBytes)})`;
  if (isSound) return `the sound of ${toCounted(calls, "record")}, which stay: ${sound}`;
  return `${toCounted(calls, "record")}, ${toCounted(chats, "chat message")}, ${sound}`;
}

/** Ledger entries that an operator decided to go on without. */
export const toPassedOver = (faults: readonly string[] = []): readonly string[] =>
  faults.map((fault) => toPrintable(`call-media-server: passed over: ${fault}`));

/** The command of an erasure, as it was typed. */
export function toRule(asked: Readonly<Record<string, unknown>>): string {
  if (asked["retention"] !== undefined)
    return asked["sound"] === true ? "retention apply, which erased its sound" : "retention apply";
  const { ledger, case: ofCase } = asked;
  // The archive was behind: the commands of these entries are not in its log.
  if (typeof ledger === "string") {
    const entries = ledger.split(" to ");
    const which = new Set(entries).size === 1 ? `entry ${entries[0]}` : `entries ${ledger}`;
    const why = typeof ofCase === "string" ? ` (${ofCase})` : "";
    return toPrintable(`the ledger of purges, ${which}${why}`);
  }
  const options = Object.entries(asked).map(([key, value]) => {
    const option = `--${key.replace("_", "-")}`;
    if (key === "call_ids") return `${option} with ${toCounted(Number(value), "identifier")}`;
    return value === true ? option : `${option} ${String(value)}`;
  });
  return toPrintable(["purge", ...options].join(" "));
}
