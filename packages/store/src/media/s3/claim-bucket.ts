// `MediaStore.notes` and `claim` for a bucket: objects next to the recordings.
import { createHash } from "node:crypto";
import { isFault } from "../../port/faults.ts";
import type { MediaNotes } from "../../port/media.ts";
import { checkOwner, OWNER } from "../claim.ts";
import { NOTE_PREFIX } from "../notes.ts";
import type { S3Client, S3Request } from "./client.ts";

// Startup and shutdown wait for a note, so it must not take long. A note that fails is retried with the next one.
const AT_ONCE: Pick<S3Request, "attempts" | "idleMs"> = { attempts: 1, idleMs: 3_000 };

export function createBucketNotes(client: S3Client): MediaNotes {
  return {
    read: (name) => readText(client, { key: NOTE_PREFIX + name, ...AT_ONCE }),
    write: (name, text) => writeText(client, { key: NOTE_PREFIX + name, ...AT_ONCE }, text),
  };
}

export async function claimBucket(client: S3Client, archiveId: string): Promise<void> {
  const owner = await readText(client, { key: OWNER });
  if (owner !== undefined) return checkOwner(client.bucket.name, owner, archiveId);
  await writeText(client, { key: OWNER }, archiveId);
}

type Asked = Pick<S3Request, "key" | "attempts" | "idleMs">;

async function readText(client: S3Client, asked: Asked): Promise<string | undefined> {
  try {
    return (await client.send({ method: "GET", action: "s3:GetObject", ...asked })).body;
  } catch (error) {
    if (!isFault(error, "lost")) throw error;
    return undefined;
  }
}

async function writeText(client: S3Client, asked: Asked, text: string): Promise<void> {
  const body = Buffer.from(text);
  const headers = { "content-md5": createHash("md5").update(body).digest("base64") };
  await client.send({ method: "PUT", action: "s3:PutObject", headers, body, ...asked });
}
