// Mutes the originals of an export again. The same original and spans give the same file, so a difference proves a change.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { MANIFEST, type MutedFile } from "@call-media/handover";
import { CannotMute, CannotMuteCodec, mute } from "@call-media/sound/mute";
import { UsageError } from "@call-media/terminal";
import { toReadFault } from "../../failures/system-error.ts";
import { hashFile } from "../folder/read.ts";
import type { Difference } from "./compare-file.ts";
import type { Contents } from "./contents.ts";
import { readManifest } from "./manifest.ts";

export interface CheckedOriginals {
  readonly differences: readonly Difference[];
  /** Muted files that came out the same. */
  readonly same: number;
  /** Muted files whose original is not in the folder. */
  readonly missing: readonly string[];
  /** Muted files that a browser decoded first, as the console does. They cannot be reproduced. */
  readonly decoded: readonly string[];
}

/** @throws UsageError if the folder cannot be read, or the export has no muted recordings. */
export async function checkOriginals(
  contents: Contents,
  folder: string,
  signal: AbortSignal,
): Promise<CheckedOriginals> {
  const originals = await hashAll(folder, signal);
  const [missing, decoded]: [string[], string[]] = [[], []];
  const differences: Difference[] = [];
  let same = 0;
  // The check of the manifest already reports faulty lines.
  for await (const { file, sha256, muted } of readManifest(contents, () => {})) {
    signal.throwIfAborted();
    if (file === null || muted === undefined) continue;
    const paths = originals.get(muted.original.sha256) ?? [];
    const again: Awaited<ReturnType<typeof hashMuted>>[] = [];
    // Equal bytes without a header are a different recording with another file extension.
    for (const path of paths) again.push(await hashMuted(path, muted));
    if (paths.length === 0) missing.push(file);
    else if (sha256 !== null && again.includes(sha256)) same++;
    else if (again.includes(DECODED)) decoded.push(file);
    else
      differences.push({
        file,
        what: `is not what ${paths.join(" or ")} is with these spans muted: something else was changed, or ${MANIFEST} was, or the original is named otherwise`,
      });
  }
  if (differences.length + missing.length + decoded.length + same === 0)
    throw new UsageError("--originals: nothing in this export was muted");
  return { differences, same, missing, decoded };
}

async function hashAll(
  folder: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  const options = { recursive: true, withFileTypes: true } as const;
  const entries = await readdir(folder, options).catch((error: unknown) => {
    throw new UsageError(`--originals: ${folder} ${toReadFault(error)}`, { cause: error });
  });
  for (const entry of entries) {
    signal.throwIfAborted();
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const digest = createHash("sha256");
    await hashFile(path, digest);
    const sha256 = digest.digest("hex");
    found.set(sha256, [...(found.get(sha256) ?? []), path]);
  }
  return found;
}

const DECODED = Symbol("decoded");

/** Undefined if the original cannot be muted this way; `DECODED` if its codec must be decoded first. */
async function hashMuted(
  path: string,
  { spans }: MutedFile,
): Promise<string | typeof DECODED | undefined> {
  const digest = createHash("sha256");
  const open = () => createReadStream(path);
  try {
    // The file extension determines the format of bytes without a header.
    const { read } = await mute({ open, announced: { filename: path } }, spans);
    for await (const piece of read()) digest.update(piece);
    return digest.digest("hex");
  } catch (error) {
    if (error instanceof CannotMuteCodec) return DECODED;
    if (error instanceof CannotMute) return undefined;
    throw error;
  }
}
