// `call-media transcript`: what was said and written in a call, in the form that somebody needs.
import { type Command, Option } from "commander";
import { addServiceOptions, connect } from "../access/connect.ts";
import type { TargetFlags } from "../access/target.ts";
import { lookUpCall } from "../call/look-up.ts";
import { toPlainCall } from "../call/plain.ts";
import { toTranscriptJson, toTranscriptText, toWebVtt } from "../call/transcript.ts";
import { toVconLines } from "../call/vcon-files.ts";
import { ACCESS_HELP } from "../command-line/access-help.ts";
import { createJsonOption } from "../command-line/json-option.ts";
import { UsageError } from "../failures/usage-error.ts";
import { checkWritable } from "../files/output-file.ts";
import { writeForOwner } from "../files/owner-only.ts";
import { createInterrupt } from "../interrupt.ts";
import { printText } from "../terminal/output.ts";

const HELP = `
  $ call-media transcript 300000000100170
  $ call-media transcript 300000000100170 --format vtt --out call.vtt
  $ call-media transcript 300000000100170 --format vcon --out call.vcon.json
  $ call-media transcript 300000000100170 --format vcon --media beside --out call.vcon.json

WebVTT: the interface gives no times within a transcript, so it becomes one cue as long as the call; a chat message is
shown until the next one. vCon (version 0.4.0): includes the whole record, and the recordings either inside it or as
files beside it, with ~2 after a name that is taken, and with relative addresses where the draft wants HTTPS; a call
with several records gives one vCon on each line. Existing files of recordings are never replaced.
${ACCESS_HELP}`;

interface TranscriptFlags extends TargetFlags {
  readonly format: "text" | "vtt" | "json" | "vcon";
  readonly media?: "inside" | "beside";
  readonly out?: string;
}

export function configureTranscript(command: Command): void {
  addServiceOptions(command.argument("<call_id>", "identifier of the call"))
    .addOption(
      new Option("--format <format>", "of what is written")
        .choices(["text", "vtt", "json", "vcon"])
        .default("text"),
    )
    .addOption(createJsonOption())
    .addOption(
      new Option("--media <where>", "with --format vcon: where the recordings go").choices([
        "inside",
        "beside",
      ]),
    )
    .option("--out <file>", "the file to write, for its owner alone; standard output if left out")
    .addHelpText("after", HELP)
    .action(transcript);
}

const FORMATS = { text: toTranscriptText, vtt: toWebVtt, json: toTranscriptJson } as const;

async function transcript(callId: string, flags: TranscriptFlags): Promise<void> {
  const { format, media, out } = flags;
  if (media !== undefined && format !== "vcon")
    throw new UsageError("--media goes with --format vcon");
  if (media === "beside" && out === undefined)
    throw new UsageError("--media beside needs --out: the recordings are written beside that file");
  checkWritable("--out", out);
  const connection = await connect(flags);
  const signal = createInterrupt();
  const call = toPlainCall(await lookUpCall(connection.client, callId, signal));
  const beside = media === "beside" ? out : undefined;
  const text =
    format === "vcon"
      ? await toVconLines(call, connection, { beside, signal })
      : FORMATS[format](call);
  if (out === undefined) printText(text);
  else await writeForOwner(out, `${text}\n`);
}
