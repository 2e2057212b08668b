// `call-media get`: prints everything that the service has about a call, or the calls of a reference.
import { createShowDatetime } from "@call-media/conditions";
import type { Command } from "commander";
import type { CallSelector } from "@call-media/handover";
import { addServiceOptions, connect, type Connection } from "../access/connect.ts";
import type { TargetFlags } from "../access/target.ts";
import { lookUpCall, lookUpReference } from "../call/look-up.ts";
import { toPlainCall } from "../call/plain.ts";
import { toCallText } from "../call/text.ts";
import {
  addCallSelector,
  parseCallSelector,
  type CallSelectorFlags,
} from "../call/call-selector.ts";
import { ACCESS_HELP } from "../command-line/access-help.ts";
import { createInterrupt } from "../interrupt.ts";
import { console, createPaint, io } from "@call-media/terminal";
import { toTimeZone } from "../search/time-zones.ts";
import { printJson } from "../terminal/output.ts";

const HELP = `
  $ call-media get 300000000100170
  $ call-media get 300000000100170 --json > call.json
  $ call-media get --ref-id FHR-000001

call-media recording saves its recordings, call-media transcript prints what was said.
${ACCESS_HELP}`;

interface GetFlags extends TargetFlags, CallSelectorFlags {
  readonly json?: boolean;
  readonly tz?: string;
}

export function configureGet(command: Command): void {
  addServiceOptions(addCallSelector(command))
    .option("--json", "as { call_id, records, messages }, of a reference { ref_id, records }")
    .option("--tz <zone>", "show datetimes in this time zone, such as Europe/Berlin", toTimeZone)
    .addHelpText("after", HELP)
    .action(get);
}

async function get(callId: string | undefined, flags: GetFlags): Promise<void> {
  const selector = parseCallSelector(callId, flags);
  const connection = await connect(flags);
  const { archiveZone } = connection;
  const found = await lookUp(connection, selector);
  if (flags.json) return printJson(found);
  const showDatetime = createShowDatetime(flags.tz, archiveZone);
  const call = toPlainCall({ messages: [], ...found });
  const text = toCallText(call, showDatetime, createPaint(io().stdout));
  console.log(text);
}

async function lookUp(connection: Connection, { call_id, ref_id }: CallSelector) {
  const signal = createInterrupt();
  if (ref_id === undefined) return lookUpCall(connection, call_id, signal);
  return { ref_id, records: await lookUpReference(connection, ref_id, signal) };
}
