// Converts a success to the result of a call: its JSON, validated as the envelope of the contract.
import { ProtocolError, toName } from "../errors.ts";
import { MAX_BASE64_JSON_BYTES, MAX_JSON_BYTES } from "../limits.ts";
import { isObject, parseJson } from "../values.ts";
import type { Exchange, Read } from "./exchange.ts";
import { TOKEN_PATH } from "./request.ts";
import { isRefusal, toResponseError } from "./response-error.ts";

/** Result of a call. Everything else is thrown. */
export interface Answer<Data> {
  /** The success envelope (for POST /Token the token), or with `parseAs: "stream"` the bytes. */
  readonly data: Data;
  /** Status and headers. The body was already read, or is the stream in `data`. */
  readonly response: Response;
  /** X-Request-Id, to quote to the operator of the service (D13); undefined if it sends none. */
  readonly requestId: string | undefined;
}

export function toAnswer<Data>({ response, requestId }: Exchange, data: Data): Answer<Data> {
  return { data, response, requestId };
}

/** The JSON of a response, and the response, whose body has been read. */
export const readJson: Read<Answer<unknown>> = async (exchange) =>
  toAnswer(exchange, parseSuccess(await readText(exchange), exchange));

/**
 * Reads the body of a response as text and releases its watch.
 *
 * @throws ProtocolError if it is longer than `maxJsonBytes`.
 */
export async function readText(exchange: Exchange): Promise<string> {
  const { response, watch } = exchange;
  // Some runtimes have no streams, and a response may have no body.
  const text = response.body ? await readBody(response.body, exchange) : await response.text();
  watch.release();
  return text;
}

/** Counts bytes after decompression: a few KB of gzip may expand to gigabytes. */
async function readBody(body: ReadableStream<Uint8Array>, exchange: Exchange): Promise<string> {
  const { about, response } = exchange;
  const maxBytes = toMaxBytes(exchange);
  const reader = body.getReader();
  const decoder = toDecoder(exchange);
  let text = "";
  let bytes = 0;
  for (;;) {
    const { value } = await reader.read();
    if (value === undefined) return text + decoder.decode();
    bytes += value.length;
    if (bytes > maxBytes) {
      const fault = `the answer is longer than the ${maxBytes} bytes that maxJsonBytes allows`;
      const details = { code: "CLIENT_TOO_LONG", status: response.status };
      throw new ProtocolError(`${toName(about)}: ${fault}`, about, details);
    }
    text += decoder.decode(value);
  }
}

/** Decodes the bytes of a response, in the charset of its Content-Type. Default: UTF-8 (RFC 8259, 8.1). */
export interface Decoder {
  /**
   * The text of these bytes. Call it without bytes at the end, for the rest of the text.
   *
   * @throws ProtocolError if the bytes are not text of that charset.
   */
  readonly decode: (bytes?: Uint8Array) => string;
}

/** @throws ProtocolError if the charset of a success is unknown. The body of an error need not be legible. */
export function toDecoder({ about, response }: Pick<Exchange, "about" | "response">): Decoder {
  const { headers, ok, status } = response;
  const label = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(headers.get("Content-Type") ?? "")?.[1];
  const attempt = <T>(fault: string, decode: () => T): T => {
    try {
      return decode();
    } catch (cause) {
      const details = { code: "CLIENT_CHARSET", status, cause };
      throw new ProtocolError(`${toName(about)}: ${fault}`, about, details);
    }
  };
  const charset = ok ? (label ?? UTF_8) : UTF_8;
  const decoder = attempt(
    `the answer is in ${charset}, which cannot be read here`,
    () => new TextDecoder(charset, { fatal: ok }),
  );
  return {
    decode: (bytes) =>
      attempt(`the answer has bytes that are not ${charset}`, () =>
        decoder.decode(bytes, { stream: bytes !== undefined }),
      ),
  };
}

const UTF_8 = "utf-8";

function toMaxBytes({ about, options }: Exchange): number {
  const isBase64 = about.path.startsWith("/recording/by-");
  return options.maxJsonBytes ?? (isBase64 ? MAX_BASE64_JSON_BYTES : MAX_JSON_BYTES);
}

/**
 * Parses the body of a 200 as JSON, and checks that it is the success envelope of the contract, or an object for POST /Token.
 *
 * @throws EnvelopeError if the envelope has isError or, for a recording, `success: false`. ProtocolError if it is not an envelope, if its
 * list has an element that is not a record, or if `validate` finds a fault.
 */
export function parseSuccess(text: string, exchange: Exchange): unknown {
  const { about } = exchange;
  const body = parseJson(text);
  if (!isSuccess(body, about.path))
    throw toResponseError(exchange, { fault: "without the JSON of a success", text });
  const strange = findStrange(Object(body)["data"]);
  if (strange !== undefined) throw toResponseError(exchange, { fault: strange, text });
  const fault = validate(body, exchange);
  if (fault !== undefined)
    throw toResponseError(exchange, { fault, code: "CLIENT_VALIDATION_FAILED", text });
  return body;
}

/** @throws ProtocolError if the function of the program throws. Another request would not help. */
function validate(body: unknown, { about, operation, options }: Exchange): string | undefined {
  try {
    return options.validate?.(body, operation);
  } catch (cause) {
    const details = { code: "CLIENT_VALIDATION_FAILED", cause };
    throw new ProtocolError(`${toName(about)}: validate threw`, about, details);
  }
}

/** Finds an element of a list that is not a record, such as null. Without this check it would be counted as one. */
function findStrange(data: unknown): string | undefined {
  if (!Array.isArray(data)) return undefined;
  const index = data.findIndex((one) => !isObject(one));
  if (index < 0) return undefined;
  const found: unknown = data[index];
  // The value itself could be a secret.
  return `with ${found === null ? "null" : typeof found} in place of a record`;
}

/** Interface, "Response envelope": data is an array, except for the recording endpoints. */
function isSuccess(body: unknown, path: string): boolean {
  if (!isObject(body)) return false;
  if (path === TOKEN_PATH) return true;
  const { isError, data } = body;
  const hasData = path.startsWith("/recording/") ? isObject(data) : Array.isArray(data);
  return isError === false && hasData && !isRefusal(body);
}
