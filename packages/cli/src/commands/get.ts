// `call-media get`: all that the service says of one call.
import type { Command } from "commander";
import { ACCESS_HELP } from "../access-help.ts";
import { lookUpCall } from "../call/look-up.ts";
import { toCallText } from "../call/text.ts";
import { addServiceOptions, connect } from "../connect.ts";
import { createPaint } from "../formats/paint.ts";
import { createInterrupt } from "../interrupt.ts";
import { createShowDatetime, toArchiveOffset, toTimeZone } from "../search/time-zone.ts";
import type { TargetFlags } from "../target.ts";

const HELP = `
  $ call-media get 300000004821507
  $ call-media get 300000004821507 --json > call.json

Its recordings are saved by call-media recording, what was said is written by call-media transcript.
${ACCESS_HELP}`;

interface GetFlags extends TargetFlags {
  readonly json?: boolean;
  readonly tz?: string;
}

export function configureGet(command: Command): void {
  addServiceOptions(command.argument("<call_id>", "identifier of the call"))
    .option("--json", "as { call_id, records, messages }, as the service has it")
    .option("--tz <zone>", "show datetimes in this time zone, such as Europe/Berlin", toTimeZone)
    .addHelpText("after", HELP)
    .action(get);
}

async function get(callId: string, flags: GetFlags): Promise<void> {
  const { client, service } = await connect(flags);
  const call = await lookUpCall(client, callId, createInterrupt());
  if (flags.json) return console.log(JSON.stringify(call, undefined, 2));
  const showDatetime = createShowDatetime(flags.tz, toArchiveOffset(service));
  console.log(toCallText(call, showDatetime, createPaint(process.stdout)));
}
