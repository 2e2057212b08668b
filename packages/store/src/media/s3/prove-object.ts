// Tells whether an object still has its imported content: by its ETag, or else by reading all of it.
import { createHash } from "node:crypto";
import { StoreFault } from "../../port/faults.ts";
import type { ByteRange, Media, OnRead, OpenMedia } from "../../port/media.ts";
import { createProofs } from "../proofs.ts";
import { type S3Client, toRefusal } from "./client.ts";
import { openObject } from "./download.ts";
import { type ObjectState, readEtag, readState } from "./object-state.ts";

const CHUNK_BYTES = 512 * 1024;

/** Returns the current state of the object. Throws `StoreFault` if its length or content differs from the import. */
export async function proveObject(
  client: S3Client,
  { sha256, bytes }: Pick<Media, "sha256" | "bytes">,
  { state, onRead = () => {} }: { state: ObjectState; onRead?: OnRead | undefined },
): Promise<ObjectState> {
  const digest = createHash("sha256");
  const buffer = Buffer.allocUnsafe(Math.min(bytes, CHUNK_BYTES));
  const range = { first: 0, last: bytes - 1 };
  const object = await openObject(client, { sha256, etag: state.etag }, range);
  try {
    for (let read; (read = await object.read(buffer)) > 0;) {
      const piece = buffer.subarray(0, read);
      digest.update(piece);
      onRead(piece);
    }
  } finally {
    await object.close();
  }
  if (digest.digest("hex") === sha256) return state;
  throw new StoreFault(
    "damaged",
    `recording ${sha256} in ${client.bucket.name} has another content than imported`,
  );
}

export interface Opener {
  /** `MediaStore.open`: opens the object if it was last verified in this state; otherwise reads it completely first. */
  readonly open: (media: Media, range: ByteRange) => Promise<OpenMedia>;
  /** The ETag of the verified object. Throws `StoreFault`. */
  readonly findEtag: (media: Media) => Promise<string>;
}

export function createOpener(client: S3Client): Opener {
  const findProof = createProofs();
  const findEtag = async (media: Media) => {
    const state = await readState(client, media);
    if (state.etag === readEtag(media)) return state.etag;
    return await findProof(
      `${media.sha256} ${state.etag}`,
      async () => (await proveObject(client, media, { state })).etag,
    );
  };
  const open = async (media: Media, range: ByteRange) => {
    const { sha256 } = media;
    const known = readEtag(media);
    if (known !== undefined)
      try {
        return await openObject(client, { sha256, etag: known }, range);
      } catch (error) {
        if (toRefusal(error)?.status !== 412) throw error;
      }
    return await openObject(client, { sha256, etag: await findEtag(media) }, range);
  };
  return { open, findEtag };
}
