// A recording that comes as base64 in JSON, from a service without streams. It is decoded while it comes: neither text nor
// bytes are ever whole in memory.
import { parseSuccess, toError, toFault } from "../call/answer.ts";
import type { Answered } from "../call/exchange.ts";
import { openBody, type Pieces } from "../call/stream.ts";
import { CallMediaError } from "../errors.ts";
import { MAX_HEAD_CHARACTERS } from "../limits.ts";
import { toBytes } from "./bytes.ts";
import { describe, toFilename } from "./recording-headers.ts";
import type { Opened } from "./resume.ts";

interface RecordingEnvelope {
  readonly data: { readonly filename?: unknown; readonly base64?: unknown };
}

/**
 * Of the recording nothing but the file name is known.
 *
 * @throws EnvelopeError where the envelope says that there is no recording, ProtocolError where it is no envelope or has no
 * base64, ConnectionError where it breaks off; reading throws them too, for the content and what comes after it.
 */
export async function openEnvelope(exchange: Answered): Promise<Opened> {
  const json = openBody(exchange);
  const decoder = new TextDecoder();
  let text = "";
  async function more(): Promise<boolean> {
    const { value } = await json.next();
    text += decoder.decode(value, { stream: !!value });
    return !!value;
  }

  /** What comes before the content. */
  let head = "";
  do [head = ""] = /^[^]*?"base64"\s*:\s*"/.exec(text) ?? [];
  while (!head && text.length < MAX_HEAD_CHARACTERS && (await more()));
  // Some services write `isError` only after the content. Of what is there twice the second counts.
  const start = `${head.replace("{", '{"isError":false,')}"}}`;
  const filename = readFilename(head ? start : text, exchange);
  text = text.slice(head.length);

  async function* decode(): Pieces {
    try {
      let digits = "";
      for (;;) {
        // Some services write "/" or "+" as an escape, or line breaks between the digits. A piece may end within one.
        const end = text.search(/"|(\\(u[\da-f]{0,3})?)?$/i);
        const isEnd = text[end] === '"';
        digits += (JSON.parse(`"${text.slice(0, end)}"`) as string).replace(/\s/g, "");
        text = text.slice(end);
        const length = digits.length - (isEnd ? 0 : digits.length % 4);
        if (length > 0) yield toBytes(digits.slice(0, length));
        digits = digits.slice(length);
        if (isEnd) break;
        if (!(await more())) throw toFault(undefined, exchange);
      }
      // What stands behind the content is as short as what stands before it.
      while (text.length < MAX_HEAD_CHARACTERS && (await more()));
      readFilename(head + text, exchange);
    } catch (error) {
      // What JSON.parse and atob throw quotes the content.
      throw error instanceof CallMediaError ? error : toError(exchange, "without base64");
    } finally {
      exchange.watch.abort();
    }
  }

  return {
    announced: { ...describe(new Headers()).announced, filename: toFilename(filename) },
    exchange,
    pieces: decode(),
  };
}

/** The file name of an envelope without its content, once it is seen to be a success. */
function readFilename(json: string, exchange: Answered): unknown {
  const { data } = parseSuccess(json, exchange) as RecordingEnvelope;
  if (typeof data.base64 !== "string") throw toError(exchange, "without base64");
  return data.filename;
}
