// The ledger in a bucket: one object for each entry and each hold, next to the recordings.
import { createHash } from "node:crypto";
import { isFault } from "../../port/faults.ts";
import type { LedgerPlace } from "../../port/ledger.ts";
import { parseFile, toFile } from "../../values/ledger.ts";
import { isHoldFile } from "../../values/ledger-holds.ts";
import { type S3Client, toRefusal } from "./client.ts";
import { createDeleter } from "./delete-object.ts";
import { readPages } from "./list-objects.ts";
import { listElements, readText } from "./xml.ts";

const FOLDER = "ledger/";

/** The statuses for a condition that does not hold, and for a concurrent write of the same key. */
const IS_THERE: ReadonlySet<number> = new Set([409, 412]);

/** The object that `knowsCondition` leaves in the bucket. Removing it could mislead another process that makes the same test. */
const TRIED = `${FOLDER}if-none-match`;

/** True if the server refuses to replace an existing object. Throws `StoreFault`. */
export async function knowsCondition(client: S3Client): Promise<boolean> {
  const put = () =>
    putNew(
      client,
      TRIED,
      "By this object the archive learns whether the bucket knows If-None-Match.\n",
    );
  return !(await put()) || !(await put());
}

/** False if there is one already. */
async function putNew(client: S3Client, key: string, text: string): Promise<boolean> {
  const body = Buffer.from(text);
  const headers = { "if-none-match": "*", ...toMd5(body) };
  try {
    await client.send({ method: "PUT", action: "s3:PutObject", key, headers, body });
    return true;
  } catch (error) {
    if (!IS_THERE.has(toRefusal(error)?.status ?? 0)) throw error;
    return false;
  }
}

export function createBucketLedger(client: S3Client): LedgerPlace {
  const { prefix, name } = client.bucket;
  const deleteObject = createDeleter(client);
  const readKey = async (key: string) => {
    try {
      return (await client.send({ method: "GET", action: "s3:GetObject", key })).body;
    } catch (error) {
      if (!isFault(error, "lost")) throw error;
      return undefined;
    }
  };
  const read = (number: number) => readKey(FOLDER + toFile(number));
  const listFiles = async (begin: string) => {
    const files: string[] = [];
    const query = { "list-type": "2", prefix: prefix + FOLDER + begin };
    for await (const page of readPages(client, { action: "s3:ListBucket", query }))
      for (const object of listElements(page, "Contents"))
        files.push((readText(object, "Key") ?? "").slice(prefix.length + FOLDER.length));
    return files;
  };
  return {
    name: `${name}/${FOLDER.slice(0, -1)}`,
    read,
    list: async () =>
      (await listFiles("")).flatMap((file) => parseFile(file) ?? []).toSorted((a, b) => a - b),
    add: async (number, text) => {
      // A server that ignores the condition would replace it.
      const there = await read(number);
      if (there !== undefined) return there === text;
      // An existing entry may be this very one, if the response to its write was lost.
      return (await putNew(client, FOLDER + toFile(number), text)) || (await read(number)) === text;
    },
    listHolds: async () => {
      const files = (await listFiles("hold-")).filter(isHoldFile).toSorted();
      const texts = await Promise.all(files.map((file) => readKey(FOLDER + file)));
      return files.flatMap((file, index) => {
        const text = texts[index];
        return text === undefined ? [] : [{ file, text }];
      });
    },
    putHold: async (file, text, forgets = false) => {
      const body = Buffer.from(text);
      const key = FOLDER + file;
      if (forgets) await deleteObject(key);
      await client.send({ method: "PUT", action: "s3:PutObject", key, headers: toMd5(body), body });
    },
  };
}

const toMd5 = (body: Buffer) => ({
  "content-md5": createHash("md5").update(body).digest("base64"),
});
