// One recorded exchange: an entry of a HAR 1.2 file, or a line of an NDJSON file in the same form.
import { Ajv2020 } from "ajv/dist/2020.js";
import { toBodyFault } from "../json/fault-words.ts";

/** A list as in HAR, or an object with a text or several for each name. */
export type EntryHeaders =
  | readonly { readonly name: string; readonly value: string }[]
  | Readonly<Record<string, string | readonly string[]>>;

/**
 * A recorded exchange. An entry of a HAR 1.2 file is one, with the fields that browsers add. Each line of an NDJSON file is one as JSON:
 *
 * `{"request":{"method":"GET","url":"https://api.example.com/events"},"response":{"status":200,"content":{"text":"[]"}}}`
 */
export interface TrafficEntry {
  /** ISO 8601. Without it, the entry is never compared with another one. */
  readonly startedDateTime?: string;
  /** Milliseconds until the response was complete. */
  readonly time?: number;
  readonly request: {
    readonly method: string;
    /** Absolute, with its query. */
    readonly url: string;
    readonly headers?: EntryHeaders;
    readonly postData?: {
      readonly mimeType?: string;
      readonly text?: string;
      readonly params?: readonly { readonly name: string; readonly value?: string }[];
    } | null;
  };
  readonly response: {
    /** 0 if no response came. */
    readonly status: number;
    readonly statusText?: string;
    readonly headers?: EntryHeaders;
    readonly content?: {
      /** Bytes of the decoded body. A `text` that is shorter was truncated by the recorder. */
      readonly size?: number;
      readonly mimeType?: string;
      readonly text?: string;
      /** `base64` if `text` is the body in base64. */
      readonly encoding?: string;
      /** True if the recorder stored only the beginning. */
      readonly truncated?: boolean;
    };
  };
  /** Marks of browsers on a response that did not come from the service. */
  readonly _fromCache?: unknown;
  readonly _fromDiskCache?: unknown;
  readonly _servedFromCache?: unknown;
  readonly _fetchedViaServiceWorker?: unknown;
  /** The kind of resource, such as `script` or `xhr`, in recordings of browsers. */
  readonly _resourceType?: unknown;
}

const TEXT = { type: "string" } as const;
const HEADERS = {
  oneOf: [
    {
      type: "array",
      items: { type: "object", required: ["name"], properties: { name: TEXT, value: TEXT } },
    },
    {
      type: "object",
      additionalProperties: { oneOf: [TEXT, { type: "array", items: TEXT }] },
    },
  ],
} as const;

/** The JSON Schema of an entry, draft 2020-12. */
export const trafficEntrySchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "A recorded exchange for call-media check --traffic",
  type: "object",
  required: ["request", "response"],
  properties: {
    startedDateTime: TEXT,
    time: { type: "number" },
    request: {
      type: "object",
      required: ["method", "url"],
      properties: {
        method: { type: "string", minLength: 1 },
        url: { type: "string", minLength: 1 },
        headers: HEADERS,
        postData: {
          type: ["object", "null"],
          properties: {
            mimeType: TEXT,
            text: TEXT,
            params: {
              type: "array",
              items: { type: "object", required: ["name"], properties: { name: TEXT } },
            },
          },
        },
      },
    },
    response: {
      type: "object",
      required: ["status"],
      properties: {
        status: { type: "integer", minimum: 0, maximum: 999 },
        statusText: TEXT,
        headers: HEADERS,
        content: {
          type: "object",
          properties: {
            size: { type: "number" },
            mimeType: TEXT,
            text: TEXT,
            encoding: TEXT,
            truncated: { type: "boolean" },
          },
        },
      },
    },
  },
} as const;

const validate = new Ajv2020({ strict: false, logger: false, verbose: true }).compile<TrafficEntry>(
  trafficEntrySchema,
);

/** The entry, or the first fault of it, such as `request.url: missing`. */
export function toEntry(value: unknown): TrafficEntry | string {
  if (value === undefined) return "no JSON";
  if (validate(value)) return value;
  const [error] = validate.errors ?? [];
  return error === undefined ? "no entry" : toBodyFault(error).fault;
}

/** Names unchanged; without the pseudo-headers of HTTP/2. */
export function listHeaders(headers: EntryHeaders = []): readonly (readonly [string, string])[] {
  const all = Array.isArray(headers)
    ? headers.map(({ name, value = "" }) => [name, value] as const)
    : Object.entries(headers).flatMap(([name, value]) =>
        [value].flat().map((one) => [name, String(one)] as const),
      );
  return all.filter(([name]) => /^[\w!#$%&'*+.^`|~-]+$/.test(name));
}
