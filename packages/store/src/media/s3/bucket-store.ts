// Recordings in a bucket of S3 or of a compatible server. Each content is one object, named by its SHA-256.
import type { MediaStore } from "../../port/media.ts";
import { type Environment, parseBucket } from "./address.ts";
import { createBucketLedger } from "./bucket-ledger.ts";
import { claimBucket, createBucketNotes } from "./claim-bucket.ts";
import { createClient } from "./client.ts";
import { createKeyFinder } from "./credentials.ts";
import { createDeleter } from "./delete-object.ts";
import { examineBucket } from "./examine-bucket.ts";
import { listObjects, parseName } from "./list-objects.ts";
import { readState, toKey, toVersion } from "./object-state.ts";
import { createOpener, proveObject } from "./prove-object.ts";
import { abortUpload, createUploader } from "./upload.ts";

const SHA256 = /^[0-9a-f]{64}$/;

const REACH_WITHIN_MS = 3_000;

/** Sends no request yet. `env` has the keys. Throws `ArchiveError` for an invalid address. */
export function openBucket(address: string, env: Environment): MediaStore {
  const bucket = parseBucket(address, env);
  const client = createClient(bucket, createKeyFinder(env));
  const { open, findEtag } = createOpener(client);
  const deleteObject = createDeleter(client);
  return {
    put: createUploader(client),
    open: (media, range = { first: 0, last: media.bytes - 1 }) => open(media, range),
    ...(isSecure(bucket.url) && {
      presign: async (media, { seconds, type, disposition }) => {
        await findEtag(media);
        const query = {
          "response-content-type": type,
          "response-content-disposition": disposition,
        };
        return await client.presign({ key: toKey(media.sha256), query }, seconds);
      },
    }),
    delete: async (name) => {
      if (SHA256.test(name)) return await deleteObject(toKey(name));
      const found = parseName(client, name);
      if (found === undefined) throw new Error(`${name} is no recording's name`);
      if (found.uploadId === undefined) return await deleteObject(found.key);
      await abortUpload(client, found.key, found.uploadId);
      return undefined;
    },
    list: () => listObjects(client),
    verify: async (media, onRead) => {
      const state = await readState(client, media);
      return { ...media, version: toVersion(await proveObject(client, media, { state, onRead })) };
    },
    reach: async () => {
      const query = { "list-type": "2", "max-keys": "1", prefix: client.bucket.prefix };
      const request = { method: "GET", action: "s3:ListBucket", query } as const;
      await client.send({ ...request, attempts: 1, idleMs: REACH_WITHIN_MS });
    },
    check: () => examineBucket(client),
    notes: createBucketNotes(client),
    ledger: createBucketLedger(client),
    claim: (archiveId) => claimBucket(client, archiveId),
  };
}

// Anyone who intercepts such a URL can use it.
function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || ["127.0.0.1", "[::1]", "localhost"].includes(hostname);
}
