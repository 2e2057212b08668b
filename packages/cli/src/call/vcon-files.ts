// The vCons of a call, and the files of recordings beside them.
import { rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, parse } from "node:path";
import type { Recording } from "@call-media/client";
import { createNames, toFileName } from "@call-media/handover";
import type { Connection } from "../access/connect.ts";
import { CommandFailure } from "../failures/command-failure.ts";
import { UsageError } from "../failures/usage-error.ts";
import { OWNER_ONLY } from "../files/owner-only.ts";
import { console } from "../io.ts";
import type { Call } from "./look-up.ts";
import { readRecordings, toShares } from "./media.ts";
import { toVcon, type VconMedia } from "./vcon.ts";

export interface VconOptions {
  /** The file of the vCon, beside which each recording is written into one of its own; undefined: it goes into the vCon. */
  readonly beside: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * A line for each record: recordings go with the one that names them; a chat is of the call, so that the first one has it.
 *
 * @throws CommandFailure where there is no record, UsageError where a file of a recording is there already.
 */
export async function toVconLines(
  call: Call,
  { client, baseUrl }: Connection,
  { beside, signal }: VconOptions,
): Promise<string> {
  if (call.records.length === 0)
    throw new CommandFailure(
      `of ${call.call_id} there is a chat and no record to make a vCon of: --format json has the chat`,
    );
  const { found, missing } = await readRecordings(client, call, signal);
  if (missing > 0)
    console.error(`${missing} of the recordings cannot be had: the vCon has their names alone`);
  const media = await placeMedia(found, call, beside);
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
  vconFile: string | undefined,
): Promise<readonly VconMedia[]> {
  if (vconFile === undefined) return found.map((recording) => ({ ...recording, file: undefined }));
  const names = createNames([basename(vconFile)]);
  const placed = found.map((recording, index) => {
    const { name, ext } = parse(toFileName(recording.filename ?? `${call_id}-${index + 1}`));
    return { ...recording, file: names.take(name, ext) };
  });
  const folder = dirname(vconFile);
  await writeAll(placed.map(({ file, content }) => ({ path: join(folder, file), content })));
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
