// Names damaged recordings and records for the operator.
import type { Damage } from "@call-media/store";
import { Option } from "commander";
import { toPrintable } from "@call-media/service/printable";
import type { Places } from "@call-media/store/open";
import { toPlaceOptions } from "./places.ts";

/** With the first call that has the recording; of that call only its identifiers. */
export function toDamageLine(
  { callId, refId, filename, recordings, fault }: Damage,
  what = "damaged",
): string {
  const call = callId === null ? `ref_id ${refId ?? "none"}` : `call_id ${callId}`;
  const others = recordings > 1 ? `, and ${recordings - 1} more with the same content` : "";
  return toPrintable(`${what}: ${filename} of ${call}${others}: ${fault}`);
}

/** A copy of recordings leaves this unchecked: a file is hashed before it is written, and a disk may change it then. */
export const toUnread = (places: Places): string =>
  toPrintable(
    `Recordings were hashed as they were copied, and not read back: "verify ${toPlaceOptions(places)}" reads them where they are now.`,
  );

/** `--damaged skip`, for commands that copy records. */
export interface DamagedFlag {
  readonly damaged?: "skip";
}

export const createDamagedOption = (description: string): Option =>
  new Option("--damaged <what>", description).choices(["skip"]);

const CALL = /^(?:call_id|ref_id|a call) /;

/** A line for each of the records, and advice. */
export function toDamagedLines(names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  // Importing again helps only with calls: with a damaged tombstone it would bring erased calls back.
  const areCalls = names.every((name) => CALL.test(name));
  const again = areCalls
    ? ", or purge these calls and import them again with --restore-erased"
    : "";
  return [
    ...names.map((name) => toPrintable(`damaged: ${name} is not what was imported`)),
    `Restore the last backup into another folder${again}. "doctor" tells what else is wrong.`,
  ];
}
