// Writes the vCons of a call, and the files of its recordings next to them.
import { rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, parse } from "node:path";
import type { Recording } from "@call-media/client";
import { createNames, toFileName } from "@call-media/handover";
import type { Connection } from "../access/connect.ts";
import { CommandFailure } from "../failures/command-failure.ts";
import { UsageError } from "../failures/usage-error.ts";
import { permissions } from "../files/written-files.ts";
import { console } from "../io.ts";
import type { Call } from "./look-up.ts";
import { readRecordings, toShares } from "./media.ts";
import { toRecordVcon, type VconMedia } from "./vcon.ts";

export interface VconOptions {
  /** The file of the vCon: recordings go into files next to it. Default: they go into the vCon. */
  readonly beside?: string | undefined;
  readonly signal: AbortSignal;
  /** True: a recording that cannot be fetched is an error. Default: standard error says so. */
  readonly needsAll?: boolean | undefined;
}

/**
 * A line for each record, with the recordings that it names. The first one has the chat, which belongs to the call.
 *
 * @throws CommandFailure if there is no record, or a needed recording cannot be fetched; UsageError if the file of a
 * recording exists.
 */
export async function toVconLines(
  call: Call,
  { client, baseUrl }: Connection,
  { beside, signal, needsAll }: VconOptions,
): Promise<string> {
  if (call.records.length === 0)
    throw new CommandFailure(
      `call ${call.call_id} has a chat, but no record for a vCon: --format json prints the chat`,
    );
  const { found, missing } = await readRecordings(client, call, signal);
  if (missing > 0) {
    const what = `${missing} of the recordings of call ${call.call_id} cannot be fetched`;
    if (needsAll)
      throw new CommandFailure(
        `${what}: without --ids, the vCon of this call is written with only their names`,
      );
    console.info(`${what}: the vCon has only their names`);
  }
  const media = beside === undefined ? found : await placeMedia(found, call, { beside, baseUrl });
  const shares = toShares(call, media);
  const vcons = call.records.map((record, index) => {
    const messages = index === 0 ? call.messages : [];
    return toRecordVcon({ baseUrl, record, messages, media: shares[index] ?? [] });
  });
  return (await Promise.all(vcons)).map((vcon) => JSON.stringify(vcon)).join("\n");
}

interface Places {
  /** The file of the vCon. */
  readonly beside: string;
  readonly baseUrl: string;
}

async function placeMedia(
  found: readonly Recording[],
  { call_id }: Call,
  { beside, baseUrl }: Places,
): Promise<readonly VconMedia[]> {
  const names = createNames([basename(beside)]);
  const address = `${baseUrl}/recording/stream-by-call-id/${encodeURIComponent(call_id)}`;
  const placed = found.map((recording, index) => {
    const { name, ext } = parse(toFileName(recording.filename ?? `${call_id}-${index + 1}`));
    // Without `part` the service gives the first one.
    const url = index === 0 ? address : `${address}?part=${index + 1}`;
    return { ...recording, place: { file: names.take(name, ext), url } };
  });
  const folder = dirname(beside);
  await writeAll(placed.map(({ place, content }) => ({ path: join(folder, place.file), content })));
  return placed;
}

interface NewFile {
  readonly path: string;
  readonly content: Uint8Array;
}

/** Writes all of them or none. */
async function writeAll(files: readonly NewFile[]): Promise<void> {
  const written: string[] = [];
  try {
    for (const { path, content } of files) {
      await writeFile(path, content, { mode: permissions().file, flag: "wx" });
      written.push(path);
    }
  } catch (error) {
    await Promise.all(written.map((path) => rm(path)));
    const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
    if (!isThere) throw error;
    throw new UsageError(
      `${files[written.length]?.path} is there already: name --out in another folder`,
      {
        cause: error,
      },
    );
  }
}
