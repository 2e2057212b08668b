// A recording inside a JSON envelope, decoded while it comes: neither text nor bytes are ever whole in memory.
import { parseSuccess, toError } from "./answer.ts";
import { CallMediaError, ConnectionError, EnvelopeError } from "./errors.ts";
import type { Answered } from "./exchange.ts";
import { MAX_HEAD_CHARACTERS } from "./limits.ts";
import { toBytes, toFilename } from "./recording-headers.ts";
import { openBody, type Source } from "./stream.ts";

export interface Decoded {
  readonly source: Source;
  readonly filename: string | undefined;
}

interface RecordingEnvelope {
  readonly data: {
    readonly success?: unknown;
    readonly filename?: unknown;
    readonly base64?: unknown;
  };
}

/**
 * @throws EnvelopeError where the envelope says that there is no recording, ProtocolError where it is
 * no envelope; the source throws them too, for what comes after the content.
 */
export async function decodeEnvelope(exchange: Answered): Promise<Decoded> {
  const json = openBody(exchange);
  const decoder = new TextDecoder();
  let [text, digits, isEnd] = ["", "", false];

  async function more(): Promise<boolean> {
    const piece = await json.read();
    text += decoder.decode(piece, { stream: !!piece });
    return !!piece;
  }

  async function fail(error: unknown): Promise<never> {
    await json.close();
    // What JSON.parse and atob throw quotes the content.
    throw error instanceof CallMediaError ? error : toError(exchange, "", "without base64");
  }

  /** What can be decoded of what came. */
  function decode(): Uint8Array {
    // Some services write "/" or "+" as an escape, or line breaks between the digits. A piece may end within one.
    const end = text.search(/"|(?:\\(?:u[\da-f]{0,3})?)?$/i);
    isEnd = text[end] === '"';
    digits += String(JSON.parse(`"${text.slice(0, end)}"`)).replace(/\s/g, "");
    text = text.slice(end);
    const whole = digits.length - (isEnd ? 0 : digits.length % 4);
    const bytes = toBytes(atob(digits.slice(0, whole)));
    digits = digits.slice(whole);
    return bytes;
  }

  async function read(): Promise<Uint8Array | undefined> {
    while (!isEnd) {
      const bytes = decode();
      if (bytes.length > 0) return bytes;
      if (!isEnd && !(await more()))
        throw new ConnectionError("The content broke off", exchange.about);
    }
    while (await more());
    readFilename(head + text, exchange);
    return undefined;
  }

  /** What comes before the content. */
  let head = "";
  try {
    do head = /^[^]*?"base64"\s*:\s*"/.exec(text)?.[0] ?? "";
    while (!head && text.length < MAX_HEAD_CHARACTERS && (await more()));
    const filename = readFilename(head ? `${head}"}}` : text, exchange);
    text = text.slice(head.length);
    return { filename, source: { read: () => read().catch(fail), close: json.close } };
  } catch (error) {
    return fail(error);
  }
}

/** The file name of an envelope without its content, once it is seen to be a success. */
function readFilename(envelope: string, exchange: Answered): string | undefined {
  // parseSuccess has checked that data is an object.
  const { data } = parseSuccess(envelope, exchange) as RecordingEnvelope;
  if (data.success === false)
    throw new EnvelopeError("success is false", exchange.about, { status: 200 });
  if (typeof data.base64 !== "string") throw toError(exchange, "", "without base64");
  return toFilename(data.filename);
}
