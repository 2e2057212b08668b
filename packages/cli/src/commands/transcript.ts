// `call-media transcript`: what was said and written in a call, in the form that somebody needs.
import { rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Recording } from "@call-media/client";
import { type Command, Option } from "commander";
import { addServiceOptions, connect, type Connection } from "../access/connect.ts";
import type { TargetFlags } from "../access/target.ts";
import { type Call, lookUpCall } from "../call/look-up.ts";
import { readRecordings, toShares } from "../call/media.ts";
import { toPlainCall } from "../call/plain.ts";
import { toTranscriptJson, toTranscriptText, toWebVtt } from "../call/transcript.ts";
import { toVcon, type VconMedia } from "../call/vcon.ts";
import { ACCESS_HELP } from "../command-line/access-help.ts";
import { createJsonOption } from "../command-line/json-option.ts";
import { CommandFailure } from "../failures/command-failure.ts";
import { UsageError } from "../failures/usage-error.ts";
import { toFileName } from "../files/file-name.ts";
import { checkWritable } from "../files/output-file.ts";
import { OWNER_ONLY, writeForOwner } from "../files/owner-only.ts";
import { createInterrupt } from "../interrupt.ts";

const HELP = `
  $ call-media transcript 300000004821507
  $ call-media transcript 300000004821507 --format vtt --out call.vtt
  $ call-media transcript 300000004821507 --format vcon --out call.vcon.json
  $ call-media transcript 300000004821507 --format vcon --media beside --out call.vcon.json

WebVTT: the interface gives no times within a transcript, so it becomes one cue as long as the call; a chat message is
shown until the next one. vCon (version 0.4.0): includes the whole record, and the recordings either inside it or as
files beside it; a call with several records gives one vCon on each line. Existing files of recordings are never
replaced.
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
  const text =
    format === "vcon"
      ? await toVconText(call, { connection, flags, signal })
      : FORMATS[format](call);
  if (out === undefined) console.log(text);
  else await writeForOwner(out, `${text}\n`);
}

interface VconRun {
  readonly connection: Connection;
  readonly flags: TranscriptFlags;
  readonly signal: AbortSignal;
}

/** Recordings go with the record that names them; a chat is of the call, so that its first record has it. */
async function toVconText(call: Call, { connection, flags, signal }: VconRun): Promise<string> {
  const { client, baseUrl } = connection;
  if (call.records.length === 0)
    throw new CommandFailure(
      `of ${call.call_id} there is a chat and no record to make a vCon of: --format json has the chat`,
    );
  const { found, missing } = await readRecordings(client, call, signal);
  if (missing > 0)
    console.error(`${missing} of the recordings cannot be had: the vCon has their names alone`);
  const media = await placeMedia(found, call, flags);
  const shares = toShares(call, media);
  const vcons = call.records.map((record, index) => {
    const messages = index === 0 ? call.messages : [];
    return toVcon({ baseUrl, record, messages, media: shares[index] ?? [] });
  });
  return vcons.map((vcon) => JSON.stringify(vcon)).join("\n");
}

async function placeMedia(
  found: readonly Recording[],
  { call_id }: Call,
  { media, out = "" }: TranscriptFlags,
): Promise<readonly VconMedia[]> {
  if (media !== "beside") return found.map((recording) => ({ ...recording, file: undefined }));
  const placed = found.map((recording, index) => {
    const file = toFileName(recording.filename ?? `${call_id}-${index + 1}`);
    return { ...recording, file };
  });
  await writeAll(placed.map(({ file, content }) => ({ path: join(dirname(out), file), content })));
  return placed;
}

interface NewFile {
  readonly path: string;
  readonly content: Uint8Array;
}

/** All of them or none. */
async function writeAll(files: readonly NewFile[]): Promise<void> {
  const written: string[] = [];
  try {
    for (const { path, content } of files) {
      await writeFile(path, content, { mode: OWNER_ONLY.file, flag: "wx" });
      written.push(path);
    }
  } catch (error) {
    await Promise.all(written.map((path) => rm(path)));
    const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
    if (!isThere) throw error;
    throw new UsageError(
      `${files[written.length]?.path} is there already: name --out in another folder`,
      { cause: error },
    );
  }
}
