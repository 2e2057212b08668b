// The bodies of recorded exchanges: decoded, and told apart from those that the recorder truncated or left out.
import { JSONParser } from "@streamparser/json";
import { parseJson } from "../ask.ts";
import { isJson } from "../document/document.ts";
import { listHeaders, type TrafficEntry } from "./entry.ts";

export interface RecordedBody {
  readonly bytes: Uint8Array;
  /** False if the recording has none of it, or only its beginning. */
  readonly isWhole: boolean;
}

const NONE: Uint8Array = new Uint8Array();

export function toResponseBody({ request, response }: TrafficEntry, type: string): RecordedBody {
  const { status, headers, content = {} } = response;
  const { text = "", encoding, size = -1, truncated = false } = content;
  if (text === "") {
    const [, length] = listHeaders(headers).find(([name]) => /^content-length$/i.test(name)) ?? [];
    const isBodiless = status === 204 || status === 205 || request.method.toUpperCase() === "HEAD";
    // Recorders write an empty text for a body that they did not store.
    return { bytes: NONE, isWhole: isBodiless || length?.trim() === "0" };
  }
  const bytes = Buffer.from(text, encoding === "base64" ? "base64" : "utf8");
  if (truncated) return { bytes, isWhole: false };
  if (!isJson(type)) return { bytes, isWhole: bytes.length >= size };
  const decoded = bytes.toString();
  // Recorders count bytes in different ways, so the size decides only where the text does not.
  if (parseJson(decoded) !== undefined) return { bytes, isWhole: true };
  return { bytes, isWhole: bytes.length >= size && !isBeginning(decoded) };
}

/** True for the beginning of a JSON text. A response that a service truncated itself looks the same, and is not judged. */
function isBeginning(text: string): boolean {
  const parser = new JSONParser({ paths: ["$"] });
  let isBroken = false;
  parser.onError = () => {
    isBroken = true;
  };
  parser.onValue = () => {};
  parser.write(text);
  return !isBroken && !parser.isEnded;
}

/** The text of a request body, and its value if it is JSON or a form. */
export function toRequestBody({ request: { postData, headers } }: TrafficEntry): {
  readonly text?: string;
  readonly json?: unknown;
} {
  if (postData === undefined || postData === null) return {};
  const { params = [], mimeType = "" } = postData;
  const written = new URLSearchParams(
    params.map(({ name, value = "" }) => [name, value] as [string, string]),
  );
  const text = postData.text ?? (params.length > 0 ? written.toString() : "");
  if (text === "") return {};
  const [, sent = mimeType] =
    listHeaders(headers).find(([name]) => /^content-type$/i.test(name)) ?? [];
  if (isJson(sent)) return { text, json: parseJson(text) };
  return /^application\/x-www-form-urlencoded/i.test(sent)
    ? { text, json: Object.fromEntries(new URLSearchParams(text)) }
    : { text };
}
