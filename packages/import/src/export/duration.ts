// How long a recording is, as the facts of its sound say: the bytes that are there count, not the header of a careless recorder.
import { createReadStream } from "node:fs";
import { createInspector } from "@call-media/sound";

/** In seconds; undefined for a file without a length, or without audio. Name and type count for bytes without a header. Throws when it cannot be opened. */
export async function readDuration(
  path: string,
  announced: Parameters<typeof createInspector>[0] = {},
): Promise<number | undefined> {
  const inspector = createInspector(announced);
  for await (const piece of createReadStream(path)) inspector.push(piece as Uint8Array); // no encoding: bytes
  const { durationMs = 0 } = inspector.end();
  return durationMs > 0 ? durationMs / 1_000 : undefined;
}
