// `call-media recording`: saves a recording of a call, complete and checked.
import { randomUUID } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { dirname, join, parse } from "node:path";
import { isCallMediaError, MAX_PART, toRecordingNames } from "@call-media/client";
import { type SavedRecording, saveRecording } from "@call-media/client/node";
import { type Command, Option } from "commander";
import {
  type CallSelector,
  listLegs,
  type MutedFile,
  toExtension,
  toFileName,
} from "@call-media/handover";
import { CannotMute, type MuteSpan, toSpanText } from "@call-media/sound/mute";
import { addServiceOptions, connect } from "../access/connect.ts";
import type { TargetFlags } from "../access/target.ts";
import { showDownloads } from "../call/download-progress.ts";
import {
  addCallSelector,
  toIdentifier,
  parseCallSelector,
  toWords,
  type CallSelectorFlags,
} from "../call/call-selector.ts";
import { IDS_OPTION, refuseBoth, saveMany } from "../call/many-calls.ts";
import { saveRecordings } from "../call/save-recordings.ts";
import { ACCESS_HELP } from "../command-line/access-help.ts";
import { addGroupOption } from "../command-line/common-options.ts";
import {
  console,
  createProgressLine,
  io,
  toCounted,
  toPrintable,
  toProgressOutput,
  toWholeNumber,
  UsageError,
} from "@call-media/terminal";
import { CommandFailure } from "../failures/command-failure.ts";
import { checkReplaceable, STDOUT } from "../files/output-file.ts";
import { type ToMute, writeMuted } from "../files/muted-file.ts";
import { openWorkingFolder } from "../files/working-folder.ts";
import { setUmask } from "../files/written-files.ts";
import { createInterrupt } from "../interrupt.ts";
import { readTimes } from "../search/mute-spans.ts";
import { openOutput, printJson, printText } from "../terminal/output.ts";

const HELP = `
  $ call-media recording 300000000100170
  $ call-media recording 300000000100425 --part 2 --out second.ogg --json
  $ call-media recording --ref-id FHR-000001 --out call.wav
  $ call-media recording 300000000100170 --out - | ffplay -i -
  $ call-media recording 300000000100170 --mute 3.2-5.75 --out muted.wav
  $ call-media search --last 7d --columns call_id --out ids.csv
  $ call-media recording --ids ids.csv --out recordings

Without --out the recording is saved in the current folder under the name that the service gives; an existing file is
never replaced. Length and SHA-256 are checked if the service announces them, and an incomplete recording is not kept,
nor written to standard output with --out -. A download that breaks off is resumed.

--mute saves a copy of which these seconds are silent, and keeps no original. The copy is read again before it gets its
name: every sample outside of them is as it was. WAV, MP3, GSM, G.722 and ADPCM can be muted; what cannot is not saved.
The original is in a folder call-media-USER of the temporary folder (TMPDIR) meanwhile. If the command is killed, it stays
there, and the next run removes it.

--ids saves all recordings of many calls, or --part of each, as CALL_ID.ogg, CALL_ID-2.ogg and so on. Run the same
command again to go on after an interruption: recordings that are there are not fetched again. A call that failed is
named, and does not stop the others.
${ACCESS_HELP}`;

interface RecordingFlags extends TargetFlags, CallSelectorFlags {
  readonly ids?: string;
  readonly part?: number;
  readonly out?: string;
  readonly mute?: string;
  readonly json?: boolean;
}

export function configureRecording(command: Command): void {
  addGroupOption(addServiceOptions(addCallSelector(command)))
    .addOption(new Option(...IDS_OPTION).conflicts("refId"))
    .option(
      "--part <n>",
      "which recording of the call, from 1 (default: the first)",
      toWholeNumber(1, MAX_PART),
    )
    .option("--out <file>", "the file to write, which is replaced; - is standard output")
    .option("--mute <spans>", "take these seconds out, such as 3.2-5.75 or 0:59-1:02.5,9-9.1")
    .option(
      "--json",
      "as { file, bytes, sha256, contentType, verified }; with --ids a line for each",
    )
    .addHelpText("after", HELP)
    .action(save);
}

async function saveAll(ids: string, { out, part, json, ...flags }: RecordingFlags): Promise<void> {
  setUmask();
  const signal = createInterrupt();
  const { client } = await connect(flags);
  await saveMany({ ids, out, signal }, (call) =>
    saveRecordings(call, {
      client,
      signal,
      part,
      onSaved: (saved) => {
        if (!json) return printText(saved.file);
        const { file, bytes, sha256, contentType, verified } = saved;
        const facts = { file, bytes, sha256, contentType, verified };
        return printText(JSON.stringify({ call_id: call.call_id, part: saved.part, ...facts }));
      },
    }),
  );
}

async function save(callId: string | undefined, given: RecordingFlags): Promise<void> {
  if (given.ids !== undefined) {
    refuseBoth(callId);
    if (given.mute !== undefined)
      throw new UsageError(
        "--mute does not go with --ids: call-media export --ids FILE --mute SPANS mutes many calls",
      );
    return await saveAll(given.ids, given);
  }
  const { out, part, json, mute, ...flags } = given;
  const spans = mute === undefined ? undefined : readTimes(mute);
  const selector = parseCallSelector(callId, flags);
  const isPiped = out === STDOUT;
  if (isPiped && json) throw new UsageError("--json and --out - both write to standard output");
  if (isPiped && io().stdout.isTTY)
    throw new UsageError("--out -: a recording is not text for a terminal: | PROGRAM, or > FILE");
  if (!isPiped) checkReplaceable("--out", out);
  setUmask();
  const { client } = await connect(flags);
  const { recordings } = client;
  // A temporary file, until the recording is complete. Its name may be unknown, too.
  await using temporary = isPiped ? await openWorkingFolder() : undefined;
  const unnamed = join(dirname(out ?? ""), `.${randomUUID()}.recording`);
  const target = temporary?.file ?? (spans === undefined ? (out ?? unnamed) : unnamed);
  // An original to be muted exists only here, and is removed in any case.
  await using original = spans && (await openWorkingFolder());
  for (const { left, folder } of [temporary, original].flatMap((one) => one ?? []))
    if (left > 0)
      console.info(`removed from ${folder} what ${toCounted(left, "killed run")} had left there`);
  const signal = createInterrupt();
  const wanted = { ...selector, part, signal };
  using progress = createProgressLine(toProgressOutput());
  progress.show(`receiving the recording of ${toWords(selector)}`);
  try {
    const shown = { recordings: showDownloads(recordings, progress) };
    const received = await saveRecording(shown, wanted, original?.file ?? target);
    const saved =
      original && spans
        ? await muteSaved(received, { from: original.file, to: target }, spans)
        : received;
    if (temporary !== undefined) await pipeToOutput(target);
    else if (out !== undefined && target !== out) await rename(target, out);
    const file = out ?? (await giveName(target, toGivenName(saved, selector)));
    const records = json ? [] : await listLegs({ client, signal }, selector);
    progress.show("");
    report({ file, ...saved }, json);
    if (saved.doubt !== undefined)
      console.error(`${file} is ${saved.doubt} and no sound: the archive has it so`);
    const count = records.flatMap((one) => toRecordingNames(one.recordings)).length;
    if (count > 1)
      console.info(
        `recording ${part ?? 1} of ${count} of ${toWords(selector)}, the oldest first${toOwnerWords(saved)}`,
      );
  } catch (error) {
    const isMissing =
      isCallMediaError(error, "NotFoundError") && error.operationId !== "createToken";
    if (!isMissing) throw error;
    const what = part === undefined ? "recording" : `recording --part ${part}`;
    throw new CommandFailure(`${toWords(selector)} has no ${what}, or it may not be heard`, {
      cause: error,
    });
  }
}

/** The owner of the recording (D38), as far as the service says. */
function toOwnerWords({ owner }: SavedRecording): string {
  const { datetime = null, ref_id = null } = owner ?? {};
  if (datetime === null && ref_id === null) return "";
  const reference = ref_id === null ? "" : `, reference ${ref_id}`;
  return toPrintable(`: that of ${datetime ?? "no datetime"}${reference}`);
}

/** What is unknown about a recording, shown next to its digest. */
const VERIFIED: Readonly<Record<SavedRecording["verified"], string>> = {
  digest: " as the service announced",
  length: "; the service announced the length alone, not the SHA-256",
  nothing:
    "; the service announced neither length nor SHA-256, so whether it is whole is not known",
};

function report(saved: SavedFile & { readonly file: string }, isJson = false): void {
  const { file, bytes, sha256, contentType, verified, muted } = saved;
  const facts = { file, bytes, sha256, contentType, verified };
  if (isJson) return printJson({ ...facts, ...(muted && { muted }) });
  if (file !== STDOUT) console.log(file);
  const { original = saved } = muted ?? {};
  if (muted !== undefined)
    console.info(
      `muted ${muted.spans.map(toSpanText).join(", ")}: ${toCounted(bytes, "byte")}, SHA-256 ${sha256}`,
    );
  console.info(
    `${muted === undefined ? "" : "the original, which is not kept: "}${toCounted(original.bytes, "byte")}, SHA-256 ${original.sha256}${VERIFIED[verified]}`,
  );
}

interface SavedFile extends SavedRecording {
  readonly muted?: Pick<MutedFile, "original"> & { readonly spans: readonly MuteSpan[] };
}

/** @throws CommandFailure if it cannot be muted. */
async function muteSaved(
  saved: SavedRecording,
  paths: Pick<ToMute, "from" | "to">,
  spans: readonly MuteSpan[],
): Promise<SavedFile> {
  const { bytes, sha256, filename, contentType } = saved;
  try {
    const { spans: muted, ...copy } = await writeMuted({ ...paths, filename, contentType }, spans);
    return { ...saved, ...copy, muted: { original: { bytes, sha256 }, spans: muted } };
  } catch (error) {
    if (error instanceof CannotMute) throw new CommandFailure(error.message, { cause: error });
    throw error;
  }
}

/** A muted copy may have another format than its original. */
function toGivenName({ filename, contentType, muted }: SavedFile, selector: CallSelector): string {
  const name = filename ?? toIdentifier(selector);
  const extension = toExtension([], contentType);
  if (muted === undefined || toExtension([name], "") === extension) return name;
  return parse(name).name + extension;
}

async function pipeToOutput(file: string): Promise<void> {
  const write = openOutput();
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) await write(chunk);
}

/** @throws UsageError if a file of that name exists, because it may be unrelated. */
async function giveName(temporary: string, announced: string): Promise<string> {
  const name = toFileName(announced);
  if (existsSync(name)) {
    await rm(temporary);
    throw new UsageError(`${name} is there already: --out names another file`);
  }
  await rename(temporary, name);
  return name;
}
