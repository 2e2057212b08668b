// The content of a recording inside JSON, decoded while it comes: neither text nor bytes are ever whole in memory.
// Few services need it, so it is loaded when one does. It imports nothing but types: whatever it shared with the client, a
// bundler would take out of the client too.
import type { Pieces } from "./stream.ts";

/** What the client makes of an answer. */
export interface Judge {
  /** The envelope of a success; throws where `json` is none. */
  readonly parse: (json: string) => unknown;
  /** The error of an answer in which `fault` was found. */
  readonly toError: (fault: string) => Error;
  /** The error of an answer that is not whole. */
  readonly toBreak: (message: string) => Error;
}

/** A recording out of its envelope. */
export interface Decoded {
  /** As the service wrote it. */
  readonly filename: unknown;
  readonly pieces: Pieces;
}

interface RecordingEnvelope {
  readonly data: { readonly filename?: unknown; readonly base64?: unknown };
}

const WITHOUT = "without base64";

/** What comes before the content is no longer. */
const MAX_HEAD_CHARACTERS = 65_536;

/** @throws what `json` and `judge` throw; reading throws it too, for the content and what comes after it. */
export async function decodeEnvelope(json: Pieces, judge: Judge): Promise<Decoded> {
  const decoder = new TextDecoder();
  let text = "";
  async function more(): Promise<boolean> {
    const { value } = await json.next();
    text += decoder.decode(value, { stream: !!value });
    return !!value;
  }

  /** What comes before the content. */
  let head = "";
  do head = /^[^]*?"base64"\s*:\s*"/.exec(text)?.[0] ?? "";
  while (!head && text.length < MAX_HEAD_CHARACTERS && (await more()));
  const filename = readFilename(head ? `${head}"}}` : text, judge);
  text = text.slice(head.length);

  async function* decode(): Pieces {
    let digits = "";
    for (let isEnd = false; !isEnd;) {
      // Some services write "/" or "+" as an escape, or line breaks between the digits. A piece may end within one.
      const end = text.search(/"|(?:\\(?:u[\da-f]{0,3})?)?$/i);
      isEnd = text[end] === '"';
      digits += String(JSON.parse(`"${text.slice(0, end)}"`)).replace(/\s/g, "");
      text = text.slice(end);
      const length = digits.length - (isEnd ? 0 : digits.length % 4);
      if (length > 0) yield toBytes(digits.slice(0, length));
      digits = digits.slice(length);
      if (!isEnd && !(await more())) throw judge.toBreak("The content broke off");
    }
    while (await more());
    readFilename(head + text, judge);
  }

  async function* decodeSafely(): Pieces {
    try {
      yield* decode();
    } catch (error) {
      // What JSON.parse and atob throw quotes the content.
      const isQuote = error instanceof SyntaxError || error instanceof DOMException;
      throw isQuote ? judge.toError(WITHOUT) : error;
    } finally {
      await json.return(undefined);
    }
  }

  return { filename, pieces: decodeSafely() };
}

function toBytes(digits: string): Uint8Array {
  const binary = atob(digits);
  // Uint8Array.from takes many times as long.
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/** The file name of an envelope without its content, once it is seen to be a success. */
function readFilename(json: string, { parse, toError }: Judge): unknown {
  const { data } = parse(json) as RecordingEnvelope;
  if (typeof data.base64 !== "string") throw toError(WITHOUT);
  return data.filename;
}
