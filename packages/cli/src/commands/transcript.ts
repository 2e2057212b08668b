// `call-media transcript`: prints the speech and chat of a call, in a chosen format.
import { existsSync } from "node:fs";
import { type Command, Option } from "commander";
import { addServiceOptions, connect, type Connection } from "../access/connect.ts";
import type { TargetFlags } from "../access/target.ts";
import { type Call, lookUpCall } from "../call/look-up.ts";
import { IDS_OPTION, refuseBoth, saveMany } from "../call/many-calls.ts";
import { toPlainCall } from "../call/plain.ts";
import { toSpansCsv } from "../call/proposed-spans.ts";
import { toTranscriptJson, toTranscriptText, toWebVtt } from "../call/transcript.ts";
import { toVconLines, type VconOptions } from "../call/vcon-files.ts";
import { ACCESS_HELP } from "../command-line/access-help.ts";
import { addGroupOption } from "../command-line/common-options.ts";
import { createJsonOption } from "../command-line/json-option.ts";
import { UsageError } from "@call-media/terminal";
import { checkWritable, chooseFormat, STDOUT } from "../files/output-file.ts";
import { replaceFile } from "../files/written-files.ts";
import { createInterrupt } from "../interrupt.ts";
import { printText } from "../terminal/output.ts";

const HELP = `
  $ call-media transcript 300000000100170
  $ call-media transcript 300000000100170 --out call.vtt
  $ call-media transcript 300000000100170 --out call.vcon.json
  $ call-media transcript 300000000100170 --media beside --out call.vcon.json
  $ call-media search --last 7d --columns call_id --out ids.csv
  $ call-media transcript --ids ids.csv --out transcripts
  $ call-media transcript 300000000100170 --format spans --out spans.csv

Without --format, the name of --out decides: .vtt, .json, .vcon or .vcon.json, .csv for spans; .txt or no ending gets text.

WebVTT: the interface gives no times within a transcript, so it becomes one cue as long as its leg, and those of several
legs follow each other; a chat message is shown until the next one. vCon (version 0.4.0, valid by the schema of the working group): includes the whole record, and
the recordings either inside it or as files beside it, with ~2 after a name that is taken: filename is the file, url its
address in the service, and content_hash its SHA-512. A call with several records gives one vCon on each line.

spans are the lines of the chat with the number of a payment card, as call-media export --mute reads them. Listen to each,
and correct its times, before you mute it.

--ids writes a file for each of many calls, such as CALL_ID.txt, in the format of --format. Run the same command again to
go on after an interruption: files that are there are not fetched again. A call that failed is named, and does not stop
the others. A call whose recordings cannot all be fetched for its vCon fails.
${ACCESS_HELP}`;

/** In the order in which file extensions are tested. */
const FORMATS = {
  text: { endings: [".txt"], toText: toTranscriptText },
  vtt: { endings: [".vtt"], toText: toWebVtt },
  vcon: { endings: [".vcon.json", ".vcon", ".vcon.jsonl"], toText: undefined },
  json: { endings: [".json"], toText: toTranscriptJson },
  spans: { endings: [".csv"], toText: toSpansCsv },
} as const satisfies Readonly<Record<string, KnownFormat>>;

type Format = keyof typeof FORMATS;

interface KnownFormat {
  readonly endings: readonly [string, ...string[]];
  /** Undefined for a vCon, which needs another request to the service. */
  readonly toText: ((call: Call) => string) | undefined;
}

interface TranscriptFlags extends TargetFlags {
  readonly ids?: string;
  readonly format?: Format;
  readonly media?: "inside" | "beside";
  readonly out?: string;
}

export function configureTranscript(command: Command): void {
  addGroupOption(addServiceOptions(command.argument("[call_id]", "identifier of the call")))
    .option(...IDS_OPTION)
    .addOption(
      new Option(
        "--format <format>",
        "of what is written; if left out, by the ending of --out, or text",
      ).choices(Object.keys(FORMATS)),
    )
    .addOption(createJsonOption())
    .addOption(
      new Option("--media <where>", "with --format vcon: where the recordings go").choices([
        "inside",
        "beside",
      ]),
    )
    .option(
      "--out <file>",
      "the file to write, which is replaced; if left out or -, standard output",
    )
    .addHelpText("after", HELP)
    .action(transcript);
}

async function saveAll(
  ids: string,
  { out, format = "text", media, ...flags }: TranscriptFlags,
): Promise<void> {
  checkMedia(media, format);
  if (media === "beside")
    throw new UsageError("--media beside goes with one call: with --ids they are inside");
  const signal = createInterrupt();
  const connection = await connect(flags);
  const [ending] = FORMATS[format].endings;
  await saveMany({ ids, out, signal }, async ({ call_id, toStem, tally }) => {
    const file = `${toStem()}${ending}`;
    if (existsSync(file)) {
      tally.there++;
      return;
    }
    const call = toPlainCall(await lookUpCall(connection, call_id, signal));
    await replaceFile(
      file,
      `${await toText(call, connection, { format, signal, needsAll: true })}\n`,
    );
    printText(file);
    tally.saved++;
  });
}

function checkMedia(media: TranscriptFlags["media"], format: Format): void {
  if (media !== undefined && format !== "vcon")
    throw new UsageError("--media goes with --format vcon");
}

interface TextOptions extends VconOptions {
  readonly format: Format;
}

const toText = async (
  call: Call,
  connection: Connection,
  { format, ...options }: TextOptions,
): Promise<string> => {
  const { toText: toOwn } = FORMATS[format];
  return toOwn?.(call) ?? (await toVconLines(call, connection, options));
};

async function transcript(callId: string | undefined, flags: TranscriptFlags): Promise<void> {
  const { media } = flags;
  if (flags.ids !== undefined) {
    refuseBoth(callId);
    return await saveAll(flags.ids, flags);
  }
  if (callId === undefined)
    throw new UsageError("give the call_id of a call, or --ids with a list of them");
  const out = flags.out === STDOUT ? undefined : flags.out;
  const format = flags.format ?? chooseFormat(out, FORMATS, "text");
  checkMedia(media, format);
  if (media === "beside" && out === undefined)
    throw new UsageError("--media beside needs --out: the recordings are written beside that file");
  checkWritable("--out", out);
  const connection = await connect(flags);
  const signal = createInterrupt();
  const call = toPlainCall(await lookUpCall(connection, callId, signal));
  const beside = media === "beside" ? out : undefined;
  const text = await toText(call, connection, { format, beside, signal });
  if (out === undefined) printText(text);
  else await replaceFile(out, `${text}\n`);
}
