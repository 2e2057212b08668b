// A recording as base64 in JSON, from a service without streams. It is decoded while it arrives: neither the text nor the bytes are ever
// completely in memory.
import { parseSuccess, toDecoder } from "../call/answer.ts";
import type { Exchange } from "../call/exchange.ts";
import { toConnectionError, toResponseError } from "../call/response-error.ts";
import { type Chunks, openBody } from "../call/stream.ts";
import { CallMediaError } from "../errors.ts";
import { MAX_HEAD_CHARACTERS } from "../limits.ts";
import { isObject } from "../values.ts";
import { toBytes } from "./bytes.ts";
import { describe, toFilename } from "./recording-headers.ts";
import type { Opened } from "./resume.ts";

/** Everything before the first digit of the content. */
const HEAD = /^[^]*?"base64"\s*:\s*"/;

/** The end of the content, of the text, or of an escape that is still incomplete. */
const END_OF_DIGITS = /"|(\\(u[\da-f]{0,3})?)?$/i;

/**
 * Opens a recording of which only the file name is known.
 *
 * @throws EnvelopeError if the envelope is a refusal.
 * @throws ProtocolError if it is not an envelope, or lacks base64.
 * @throws ConnectionError if it breaks off. Reading throws all three as well.
 */
export async function openEnvelope(exchange: Exchange): Promise<Opened> {
  const { chunks: json, stop } = openBody(exchange);
  const decoder = toDecoder(exchange);
  /** Text that is not used yet. */
  let text = "";

  /** False at the end. */
  async function readMore(): Promise<boolean> {
    const { value } = await json.next();
    text += decoder.decode(value);
    return value !== undefined;
  }

  async function readHead(): Promise<string> {
    for (;;) {
      const [head] = HEAD.exec(text) ?? [];
      if (head !== undefined) return head;
      if (text.length >= MAX_HEAD_CHARACTERS || !(await readMore())) return "";
    }
  }

  const head = await readHead();
  const filename = readFilename(head === "" ? text : closeHead(head), exchange);
  text = text.slice(head.length);

  async function* decode(): Chunks {
    let digits = "";
    for (;;) {
      const end = text.search(END_OF_DIGITS);
      const isEnd = text[end] === '"';
      digits += unescape(text.slice(0, end));
      text = text.slice(end);
      // Four digits encode three bytes.
      const length = digits.length - (isEnd ? 0 : digits.length % 4);
      if (length > 0) yield toBytes(digits.slice(0, length));
      digits = digits.slice(length);
      if (isEnd) return;
      if (!(await readMore())) throw toConnectionError(undefined, exchange);
    }
  }

  async function* read(): Chunks {
    try {
      yield* decode();
      // The limit for the rest after the content is that of the head before it.
      while (text.length < MAX_HEAD_CHARACTERS && (await readMore()));
      readFilename(head + text, exchange);
    } catch (error) {
      // JSON.parse and atob quote the content in their errors.
      throw error instanceof CallMediaError ? error : toBase64Error(exchange);
    } finally {
      stop();
    }
  }

  const { owner } = describe(exchange.response.headers).announced;
  const unknown = describe(new Headers()).announced;
  const announced = { ...unknown, owner, filename: toFilename(filename) };
  return { announced, exchange, body: { chunks: read(), stop } };
}

/**
 * The JSON of the head without the content. Some services write `isError` only after the content; if it occurs twice, the second counts.
 */
function closeHead(head: string): string {
  return `${head.replace("{", '{"isError":false,')}"}}`;
}

/** Some services escape "/" or "+", or insert line breaks between the digits. */
function unescape(digits: string): string {
  return (JSON.parse(`"${digits}"`) as string).replace(/\s/g, "");
}

function toBase64Error(exchange: Exchange): CallMediaError {
  return toResponseError(exchange, { fault: "without base64" });
}

/** The file name of an envelope without its content, after checking that it is a success. */
function readFilename(json: string, exchange: Exchange): unknown {
  const body = parseSuccess(json, exchange);
  const data = isObject(body) && isObject(body["data"]) ? body["data"] : {};
  if (typeof data["base64"] !== "string") throw toBase64Error(exchange);
  return data["filename"];
}
