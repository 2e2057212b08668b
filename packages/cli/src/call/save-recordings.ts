// Saves the recordings of a call as complete, verified files.
import { createHash } from "node:crypto";
import { rename, rm } from "node:fs/promises";
import { dirname, join, parse } from "node:path";
import {
  type CallMediaClient,
  isCallMediaError,
  MAX_PART,
  NotFoundError,
  toRecordingNames,
} from "@call-media/client";
import { type SavedRecording, saveRecording } from "@call-media/client/node";
import { listLegs, toExtension } from "@call-media/handover";
import { hashFile } from "../export/folder/read.ts";
import { CommandFailure } from "../failures/command-failure.ts";
import { showDownloads } from "./download-progress.ts";
import type { CallToSave } from "./many-calls.ts";

interface Options {
  readonly client: CallMediaClient;
  readonly signal: AbortSignal;
  /** The only recording to save, from 1. Default: all. */
  readonly part: number | undefined;
  readonly onSaved: (saved: SavedFile) => void;
}

interface SavedFile extends SavedRecording {
  readonly file: string;
  readonly part: number;
}

/** @throws CommandFailure if the call or one of its recordings is missing; the errors of a call. */
export async function saveRecordings(call: CallToSave, options: Options): Promise<void> {
  const names = await listNames(call, options);
  const { part: only, onSaved } = options;
  const earlier = new Set<string>();
  const given: (string | undefined)[] = [];
  const skipped: number[] = [];
  // The service's own name of a recording may show that two names in the record are one split name.
  const hasPart = (part: number) =>
    only === undefined ? part <= Math.max(1, countNames(names, given)) : part === only;
  const readSkipped = async () => {
    for (const number of skipped.splice(0))
      given.push(await readName(call, { ...options, part: number }));
  };
  for (let part = only ?? 1; hasPart(part); part++) {
    const stem = call.toStem(part);
    const found = call.findRecording(stem);
    if (found !== undefined) {
      earlier.add(await readDigest(found));
      skipped.push(part);
      call.tally.there++;
      continue;
    }
    const target = join(dirname(stem), `.${parse(stem).base}.recording`);
    const one = await download(call, target, { ...options, part }).catch(async (error) => {
      if (!(error instanceof CommandFailure)) throw error;
      await readSkipped();
      if (hasPart(part)) throw error;
      return undefined;
    });
    if (one === undefined) break;
    if (earlier.has(one.sha256)) {
      await readSkipped();
      const isTold = one.filename !== undefined && !given.includes(one.filename);
      if (!isTold && !(await knowsParts(call, options))) {
        await rm(target);
        if (!hasPart(part)) break;
        throw new CommandFailure(
          `instead of recording ${part} the service gives an earlier one again`,
        );
      }
    }
    const file = stem + toExtension([one.filename, names[part - 1]], one.contentType);
    await rename(target, file);
    earlier.add(one.sha256);
    given.push(one.filename);
    onSaved({ ...one, file, part });
    call.tally.saved++;
  }
}

/** The number of recordings in the records, corrected by the names of those received. A name may contain the separator. */
function countNames(names: readonly string[], given: readonly (string | undefined)[]): number {
  const listed = given.map((name) => toRecordingNames(name).filter((one) => names.includes(one)));
  const told = listed.reduce((sum, { length }) => sum + Math.max(1, length), 0);
  return given.length + Math.max(0, names.length - told);
}

async function listNames({ call_id }: CallToSave, options: Options): Promise<readonly string[]> {
  const records = await listLegs(options, { call_id });
  if (records.length === 0)
    throw new CommandFailure("there is no such call, or it may not be seen");
  return records.flatMap(({ recordings }) => toRecordingNames(recordings));
}

/** An interrupted download leaves a hidden file, which the next run resumes. */
async function download(
  { call_id, progress }: CallToSave,
  target: string,
  { client, signal, part }: Options,
): Promise<SavedRecording> {
  const source = { recordings: showDownloads(client.recordings, progress) };
  try {
    return await saveRecording(source, { call_id, ...toPart(part), signal }, target);
  } catch (error) {
    if (!isCallMediaError(error, "NotFoundError")) throw error;
    throw new CommandFailure(`recording ${part} does not exist, or may not be heard`, {
      cause: error,
    });
  }
}

/** The service's own name of a recording. */
async function readName(
  { call_id }: CallToSave,
  { client, signal, part }: Options,
): Promise<string | undefined> {
  const { filename, body } = await client.recordings.stream({ call_id, ...toPart(part), signal });
  await body.cancel();
  return filename;
}

/** True if the service supports `part`: it then reports that no recording has this number. */
const knowsParts = (call: CallToSave, options: Options): Promise<boolean> =>
  readName(call, { ...options, part: MAX_PART }).then(
    () => false,
    (error: unknown) => {
      if (error instanceof NotFoundError) return true;
      throw error;
    },
  );

/** A service without support for `part` might reject the parameter. */
const toPart = (part: number | undefined) => (part === 1 || part === undefined ? {} : { part });

async function readDigest(file: string): Promise<string> {
  const digest = createHash("sha256");
  await hashFile(file, digest);
  return digest.digest("hex");
}
