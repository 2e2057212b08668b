// The call of a command: the argument call_id, or the option --ref-id.
import type { Command } from "commander";
import type { CallSelector } from "@call-media/handover";
import { UsageError } from "@call-media/terminal";

export interface CallSelectorFlags {
  readonly refId?: string;
}

export function addCallSelector(command: Command): Command {
  return command
    .argument("[call_id]", "identifier of the call")
    .option("--ref-id <ref_id>", "instead of call_id: reference, session or master identifier");
}

/** @throws UsageError if both are given, or neither. */
export function parseCallSelector(
  call_id: string | undefined,
  { refId: ref_id }: CallSelectorFlags,
): CallSelector {
  if (call_id !== undefined && ref_id === undefined) return { call_id };
  if (call_id === undefined && ref_id !== undefined) return { ref_id };
  throw new UsageError("one of the two is needed: a call_id, or --ref-id with a reference");
}

export function toIdentifier({ call_id, ref_id }: CallSelector): string {
  return ref_id === undefined ? call_id : ref_id;
}

/** For messages. */
export function toWords({ call_id, ref_id }: CallSelector): string {
  return ref_id === undefined ? `call ${call_id}` : `reference ${ref_id}`;
}
