// The ledger of erasures in a bucket: one object for each entry, next to the recordings.
import { createHash } from "node:crypto";
import { isFault } from "../../port/faults.ts";
import type { LedgerPlace } from "../../port/ledger.ts";
import { parseFile, toFile } from "../../values/ledger.ts";
import { type S3Client, toRefusal } from "./client.ts";
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
  const headers = {
    "if-none-match": "*",
    "content-md5": createHash("md5").update(body).digest("base64"),
  };
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
  const toKey = (number: number) => FOLDER + toFile(number);
  const read = async (number: number) => {
    try {
      const asked = { method: "GET", action: "s3:GetObject", key: toKey(number) } as const;
      return (await client.send(asked)).body;
    } catch (error) {
      if (!isFault(error, "lost")) throw error;
      return undefined;
    }
  };
  return {
    name: `${name}/${FOLDER.slice(0, -1)}`,
    read,
    list: async () => {
      const numbers: number[] = [];
      const query = { "list-type": "2", prefix: prefix + FOLDER };
      for await (const page of readPages(client, { action: "s3:ListBucket", query }))
        for (const object of listElements(page, "Contents")) {
          const key = readText(object, "Key") ?? "";
          const number = parseFile(key.slice(prefix.length + FOLDER.length));
          if (number !== undefined) numbers.push(number);
        }
      return numbers.toSorted((a, b) => a - b);
    },
    add: async (number, text) => {
      // A server that ignores the condition would replace it.
      const there = await read(number);
      if (there !== undefined) return there === text;
      // An existing entry may be this very one, if the response to its write was lost.
      return (await putNew(client, toKey(number), text)) || (await read(number)) === text;
    },
  };
}
