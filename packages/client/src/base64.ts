// A recording inside a JSON envelope, decoded while it comes: neither text nor bytes are ever whole in memory.
import { parseJson, readSuccess } from "./answer.ts";
import {
  ConnectionError,
  EnvelopeError,
  type ErrorSubject,
  ProtocolError,
  toName,
} from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import { toBytes, toFilename } from "./recording-headers.ts";
import type { Source } from "./stream.ts";

/** What comes before the content, and how long that may be. */
const HEAD = /^[^]*?"base64"\s*:\s*"/;
const MAX_HEAD_CHARACTERS = 65_536;

/** Some services write "/" or "+" as an escape, or line breaks between the digits. A piece may end within one. */
const CUT_ESCAPE = /(?:\\(?:u[\da-f]{0,3})?)?$/i;

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
export async function decodeEnvelope(json: Source, exchange: Exchange): Promise<Decoded> {
  const { about } = exchange;
  const decoder = new TextDecoder();
  let text = "";
  let digits = "";
  let isEnd = false;
  const more = async () => {
    const piece = await json.read();
    text += decoder.decode(piece, { stream: !!piece });
    return piece;
  };
  const fail = async (error: unknown): Promise<never> => {
    await json.close();
    throw error;
  };

  let head: string | undefined;
  while (!(head = HEAD.exec(text)?.[0]) && text.length < MAX_HEAD_CHARACTERS && (await more()));
  const filename = await check(head ? `${head}"}}` : text, exchange).catch(fail);
  text = text.slice(head?.length);

  const decode = () => {
    const end = isEnd ? text.indexOf('"') : text.search(CUT_ESCAPE);
    digits += String(parseJson(`"${text.slice(0, end)}"`)).replace(/\s/g, "");
    text = text.slice(end);
    const whole = isEnd ? digits.length : digits.length - (digits.length % 4);
    try {
      return toBytes(atob(digits.slice(0, whole)));
    } catch {
      throw noBase64(about);
    } finally {
      digits = digits.slice(whole);
    }
  };
  const read = async () => {
    while (!isEnd) {
      isEnd = text.includes('"');
      const bytes = decode();
      if (bytes.length > 0) return bytes;
      if (!isEnd && !(await more())) throw new ConnectionError("The content broke off", about);
    }
    while (await more());
    await check(head + text, exchange);
    return undefined;
  };
  return { filename, source: { read: () => read().catch(fail), close: json.close } };
}

/** The file name of an envelope without its content, once it is seen to be a success. */
async function check(envelope: string, exchange: Exchange): Promise<string | undefined> {
  // readSuccess has checked that data is an object.
  const { data } = (await readSuccess(new Response(envelope), exchange)) as RecordingEnvelope;
  const { about } = exchange;
  if (data.success === false) throw new EnvelopeError("success is false", about, { status: 200 });
  if (typeof data.base64 !== "string") throw noBase64(about);
  return typeof data.filename === "string" ? toFilename(data.filename) : undefined;
}

function noBase64(about: ErrorSubject): ProtocolError {
  return new ProtocolError(`${toName(about)} gave no base64`, about, { status: 200 });
}
