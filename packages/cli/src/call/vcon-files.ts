// Writes the vCons of a call, and the files of its recordings next to them.
import { rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, parse } from "node:path";
import type { RecordingRequest } from "@call-media/client";
import { createNames, toFileName } from "@call-media/handover";
import type { Connection } from "../access/connect.ts";
import { CommandFailure } from "../failures/command-failure.ts";
import { console, toPrintable, UsageError } from "@call-media/terminal";
import { permissions } from "../files/written-files.ts";
import type { Call } from "./look-up.ts";
import { readRecordings, type RecordingsOfCall } from "./media.ts";
import { toRecordVcon, type VconMedia } from "./vcon.ts";

export interface VconOptions {
  /** The file of the vCon: recordings go into files next to it. Default: they go into the vCon. */
  readonly beside?: string | undefined;
  readonly signal: AbortSignal;
  /** True: a recording that cannot be fetched is an error. Default: standard error says so. */
  readonly needsAll?: boolean | undefined;
}

/**
 * One line per record, with its recordings. The first one also has the chat, which belongs to the call.
 *
 * @throws CommandFailure if the call is not found, or a needed recording cannot be fetched; UsageError if the file of a recording exists.
 */
export async function toVconLines(
  call: Call,
  { client, baseUrl, archiveZone }: Connection,
  { beside, signal, needsAll }: VconOptions,
): Promise<string> {
  if (call.records.length === 0)
    throw new CommandFailure(
      `call ${call.call_id} has a chat, but no record for a vCon: --format json prints the chat`,
    );
  const { found, missing } = await readRecordings(client, call, signal);
  if (missing.length > 0) {
    const what = `${missing.length} of the recordings of call ${call.call_id} cannot be fetched (${[...new Set(missing)].join("; ")})`;
    if (needsAll)
      throw new CommandFailure(
        `${what}: without --ids, the vCon of this call is written with only their names`,
      );
    console.info(toPrintable(`${what}: the vCon has only their names`));
  }
  const media = beside === undefined ? found : await placeMedia(found, call, { beside, baseUrl });
  const vcons = call.records.map((record, index) => {
    const messages = index === 0 ? call.messages : [];
    const own = { record, messages, media: media[index] ?? [] };
    return toRecordVcon({ ...own, baseUrl, archiveZone: archiveZone() });
  });
  return (await Promise.all(vcons)).map((vcon) => JSON.stringify(vcon)).join("\n");
}

interface Places {
  /** The file of the vCon. */
  readonly beside: string;
  readonly baseUrl: string;
}

async function placeMedia(
  found: RecordingsOfCall["found"],
  { call_id }: Call,
  { beside, baseUrl }: Places,
): Promise<readonly (readonly VconMedia[])[]> {
  const names = createNames([basename(beside)]);
  let count = 0;
  const placed = found.map((own) =>
    own.map((recording) => {
      const { name, ext } = parse(toFileName(recording.filename ?? `${call_id}-${++count}`));
      const place = { file: names.take(name, ext), url: toUrl(baseUrl, recording.wanted) };
      return { ...recording, place };
    }),
  );
  const folder = dirname(beside);
  const files = placed.flat();
  await writeAll(files.map(({ place, content }) => ({ path: join(folder, place.file), content })));
  return placed;
}

/** Without `part`, the service returns the first recording. */
function toUrl(baseUrl: string, { call_id, ref_id = "", part = 1 }: RecordingRequest): string {
  const path =
    call_id === undefined
      ? `stream-by-reference/${encodeURIComponent(ref_id)}`
      : `stream-by-call-id/${encodeURIComponent(call_id)}`;
  return `${baseUrl}/recording/${path}${part === 1 ? "" : `?part=${part}`}`;
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
