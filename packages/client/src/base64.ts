// A recording inside a JSON envelope, decoded while it comes: neither text nor bytes are ever whole in memory.
import { readSuccess } from "./answer.ts";
import { CallMediaError, ConnectionError, EnvelopeError, ProtocolError, toName } from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import { toBytes, toFilename } from "./recording-headers.ts";

/** What comes before the content is no longer than this. */
const MAX_HEAD_CHARACTERS = 65_536;

/** Some services write "/" or "+" as an escape, or line breaks between the digits. */
const ESCAPE = /\\(?:u([\da-f]{4})|(.))/gi;
const CUT_ESCAPE = /\\(?:u[\da-f]{0,3})?$/i;

export interface DecodedEnvelope {
  readonly body: ReadableStream<Uint8Array>;
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
 * no envelope; the body throws them too, for what comes after the content.
 */
export async function decodeEnvelope(
  json: ReadableStream<Uint8Array>,
  exchange: Exchange,
): Promise<DecodedEnvelope> {
  const decoder = new TextDecoder();
  const reader = json.getReader();
  let text = "";
  const more = async () => {
    const { done, value } = await reader.read();
    text += decoder.decode(value, { stream: !done });
    return !done;
  };
  const fail = async (cause: unknown): Promise<never> => {
    // Of a body that broke off this fails, for the same reason.
    await reader.cancel().catch(() => {});
    throw toTyped(cause, exchange);
  };

  let begin = -1;
  while ((begin = findContent(text)) < 0 && text.length < MAX_HEAD_CHARACTERS && (await more()));
  const head = begin < 0 ? text : text.slice(0, begin);
  const filename = await check(begin < 0 ? head : `${head}"}}`, exchange).catch(fail);

  let digits = "";
  let isEnd = false;
  text = text.slice(head.length);
  const decode = () => {
    const end = isEnd ? text.indexOf('"') : text.length - (CUT_ESCAPE.exec(text)?.[0].length ?? 0);
    digits += text.slice(0, end).replace(ESCAPE, toDigit);
    text = text.slice(end);
    const whole = isEnd ? digits.length : digits.length - (digits.length % 4);
    const bytes = toBytes(atob(digits.slice(0, whole)));
    digits = digits.slice(whole);
    return bytes;
  };
  const next = async () => {
    while (!isEnd) {
      isEnd = text.includes('"');
      const bytes = decode();
      if (bytes.length > 0) return bytes;
      if (!isEnd && !(await more())) throw new ConnectionError("The content broke off", exchange);
    }
    while (await more());
    await check(head + text, exchange);
    return undefined;
  };
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const bytes = await next().catch(fail);
        if (bytes === undefined) controller.close();
        else controller.enqueue(bytes);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return { body, filename };
}

/** Where the content begins; -1 where it is not there yet. */
function findContent(text: string): number {
  const match = /"base64"\s*:\s*"/.exec(text);
  return match === null ? -1 : match.index + match[0].length;
}

/** The file name of an envelope without its content, once it is seen to be a success. */
async function check(envelope: string, exchange: Exchange): Promise<string | undefined> {
  // readSuccess has checked that data is an object.
  const { data } = (await readSuccess(new Response(envelope), exchange)) as RecordingEnvelope;
  if (data.success === false)
    throw new EnvelopeError("success is false", exchange, { status: 200 });
  if (typeof data.base64 !== "string") throw toTyped(undefined, exchange);
  return typeof data.filename === "string" ? toFilename(data.filename) : undefined;
}

/** A line break between the digits counts for nothing. */
function toDigit(_: string, code: string | undefined, character: string): string {
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  return character === "/" ? character : "";
}

function toTyped(error: unknown, exchange: Exchange): CallMediaError {
  if (error instanceof CallMediaError) return error;
  return new ProtocolError(`${toName(exchange)} gave no base64`, exchange, { status: 200 });
}
