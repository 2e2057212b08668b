// Writes the muted copy of a recording, and verifies it by reading it again before it gets its name.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { type Muted, mute, type MuteSpan } from "@call-media/sound/mute";
import { openAnew } from "./written-files.ts";

export interface ToMute {
  /** Path of the original. */
  readonly from: string;
  /** Path of the copy. */
  readonly to: string;
  /** Used only for bytes without a header. */
  readonly filename?: string | undefined;
  readonly contentType?: string | undefined;
}

export interface MutedCopy<Span extends MuteSpan = MuteSpan> extends Pick<
  Muted<Span>,
  "contentType" | "spans"
> {
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * On the disk once it resolves. If it fails, the copy is removed.
 *
 * @throws CannotMute
 */
export async function writeMuted<Span extends MuteSpan>(
  { from, to, filename, contentType }: ToMute,
  spans: readonly Span[],
): Promise<MutedCopy<Span>> {
  try {
    const open = () => createReadStream(from);
    const muted = await mute({ open, announced: { filename, contentType } }, spans);
    const written = await write(to, muted);
    await muted.prove(() => createReadStream(to));
    return { ...written, contentType: muted.contentType, spans: muted.spans };
  } catch (error) {
    await rm(to, { force: true });
    throw error;
  }
}

async function write(
  path: string,
  { read }: Pick<Muted, "read">,
): Promise<Pick<MutedCopy, "bytes" | "sha256">> {
  const digest = createHash("sha256");
  let bytes = 0;
  await using file = await openAnew(path);
  for await (const piece of read()) {
    digest.update(piece);
    bytes += piece.length;
    await file.appendFile(piece);
  }
  await file.datasync();
  return { bytes, sha256: digest.digest("hex") };
}
