// Which call is meant: the argument call_id, or the option --ref-id.
import type { Command } from "commander";
import { UsageError } from "../failures/usage-error.ts";

export type Which =
  | { readonly call_id: string; readonly ref_id?: never }
  | { readonly ref_id: string; readonly call_id?: never };

export interface WhichFlags {
  readonly refId?: string;
}

export function addWhich(command: Command): Command {
  return command
    .argument("[call_id]", "identifier of the call")
    .option("--ref-id <ref_id>", "instead of call_id: reference, session or master identifier");
}

/** @throws UsageError where both are given, or none. */
export function toWhich(call_id: string | undefined, { refId: ref_id }: WhichFlags): Which {
  if (call_id !== undefined && ref_id === undefined) return { call_id };
  if (call_id === undefined && ref_id !== undefined) return { ref_id };
  throw new UsageError("one of the two is needed: a call_id, or --ref-id with a reference");
}

export function toIdentifier({ call_id, ref_id }: Which): string {
  return ref_id === undefined ? call_id : ref_id;
}

/** For messages. */
export function toWords({ call_id, ref_id }: Which): string {
  return ref_id === undefined ? `call ${call_id}` : `reference ${ref_id}`;
}
