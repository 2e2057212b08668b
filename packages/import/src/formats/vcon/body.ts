// The content of a vCon part: `body`, in the encoding it names.
import { RowFault } from "../../source-row.ts";
import type { Part } from "./vcon.ts";

/** The text of a part; undefined when it has none. Throws `RowFault` when it cannot be decoded; `at` names the part. */
export function readTextBody(part: Part, at: string): string | undefined {
  const { body, encoding } = part;
  if (body === undefined || body === null || body === "") return undefined;
  if (typeof body !== "string") return JSON.stringify(body);
  return encoding === "base64url" ? toBytes(body, at).toString("utf8") : body;
}

/** The bytes of a recording that lies in the vCon itself; undefined when it lies elsewhere. Throws `RowFault`. */
export function readBinaryBody({ body, encoding }: Part, at: string): Buffer | undefined {
  if (body === undefined || body === null || body === "") return undefined;
  if (typeof body !== "string" || (encoding !== undefined && encoding !== "base64url")) {
    throw new RowFault(
      `${at}.encoding: a recording must be in base64url, not ${JSON.stringify(encoding ?? "json")}`,
    );
  }
  return toBytes(body, at);
}

// Node skips characters outside of base64, so the length shows if all of it was decoded. The plain alphabet is taken as
// well: early programs wrote it.
function toBytes(body: string, at: string): Buffer {
  const bytes = Buffer.from(body, "base64url");
  const digits = body.endsWith("=") ? body.replace(/={1,2}$/, "").length : body.length;
  if (bytes.length !== Math.floor((digits * 3) / 4))
    throw new RowFault(`${at}.body: is not base64url`);
  return bytes;
}
