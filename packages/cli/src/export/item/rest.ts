// The rest of a recording that an earlier run had begun to receive.
import { createHash, type Hash } from "node:crypto";
import { isCallMediaError } from "@call-media/client";
import type { Which } from "../../call/which.ts";
import { ifMissing } from "../../failures/system-error.ts";
import { checkDigest, hashFile } from "../folder/digest.ts";
import { openFile } from "../folder/open-file.ts";
import type { Begun } from "../journal/entries.ts";
import { receiveBlocks } from "./blocks.ts";
import type { Download, DownloadWork, Received } from "./download.ts";

/** Undefined where nothing is left to go on from, or the service does not give the rest of the same. */
export async function receiveRest(
  work: DownloadWork,
  { part, which }: Pick<Download, "part" | "which">,
  begun: Begun,
): Promise<Received | undefined> {
  const hash = createHash("sha256");
  const from = await hashPart(part, hash);
  if (from === 0) return undefined;
  using file = openFile(part, "a");
  let bytes = from;
  // Else the program died when all was there, and before it had said so.
  if (hash.copy().digest("hex") !== begun.sha256) {
    const body = await openRest(work, which, { from, begun });
    if (body === undefined) return undefined;
    bytes += await receiveBlocks(work.pace, body, { file, hash, beforePart: async () => {} });
    await checkDigest(part, hash, begun.sha256);
  }
  await work.pace.lend(file.sync);
  return {
    bytes,
    sha256: begun.sha256,
    contentType: begun.content_type,
    filename: begun.extension,
    verified: "digest",
  };
}

async function openRest(
  { client, signal }: DownloadWork,
  { call_id, ref_id }: Which,
  { from, begun }: { readonly from: number; readonly begun: Begun },
): Promise<ReadableStream<Uint8Array> | undefined> {
  const header = { Range: `bytes=${from}-` };
  const query = { part: begun.part };
  const init = { parseAs: "stream", signal } as const;
  try {
    const { data, response } =
      call_id === undefined
        ? await client.GET("/recording/stream-by-reference/{ref_id}", {
            ...init,
            params: { path: { ref_id }, query, header },
          })
        : await client.GET("/recording/stream-by-call-id/{call_id}", {
            ...init,
            params: { path: { call_id }, query, header },
          });
    if (isRestOf(response, from, begun)) return data;
    await data.cancel();
  } catch (error) {
    // 416, or whatever a service says that knows no ranges: then the whole is asked for.
    if (!isCallMediaError(error, "InvalidRequestError")) throw error;
  }
  return undefined;
}

/** The digest of the whole recording stands at each part of it (RFC 9530, 3). */
function isRestOf({ status, headers }: Response, from: number, { sha256 }: Begun): boolean {
  const digest = Buffer.from(sha256, "hex").toString("base64");
  const isSame = headers.get("Repr-Digest")?.includes(`sha-256=:${digest}:`) ?? false;
  return (
    status === 206 && isSame && headers.get("Content-Range")?.startsWith(`bytes ${from}-`) === true
  );
}

/** How many bytes there are; 0 where there is no such file. */
async function hashPart(path: string, hash: Hash): Promise<number> {
  return await hashFile(path, hash).catch(ifMissing(0));
}
