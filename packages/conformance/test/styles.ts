// Services in memory that say the same in other words: other key names, envelopes, statuses and headers. All writes are kept.
import {
  type ApiOptions,
  type ApiTarget,
  checkApi,
  loadRelations,
  parseDocument,
} from "../src/index.ts";
import { createService } from "./services.ts";

type Json = Readonly<Record<string, unknown>>;

export interface Asked {
  readonly method: string;
  /** Whether HEAD was asked for, which is answered as GET. */
  readonly isHead?: boolean;
  /** Decoded steps of the path. */
  readonly steps: readonly string[];
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: unknown;
  /** The body as it came. */
  readonly text: string;
}

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export const toFetch = (reply: (asked: Asked) => Reply): typeof fetch =>
  createService(({ method, url, headers, body: text }) => {
    const { body, ...came } = reply({
      method: method === "HEAD" ? "GET" : method,
      isHead: method === "HEAD",
      steps: url.pathname.split("/").filter(Boolean).map(decodeURIComponent),
      query: url.searchParams,
      headers,
      body: parse(text),
      text,
    });
    return { ...came, ...(body !== undefined && { body: JSON.stringify(body) }) };
  }).fetch;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const TEXT = { type: "string" };
export const fields = (properties: Json, required: readonly string[] = []) => ({
  type: "object",
  properties,
  required,
});
export const listOf = (items: Json) => ({ type: "array", items });
export const content = (schema: Json) => ({ content: { "application/json": { schema } } });

/** An operation by its id, what it answers by status, and what it takes. */
export const operation = (
  operationId: string,
  answers: Readonly<Record<number, Json | null>>,
  takes?: Json,
) => ({
  operationId,
  ...(takes && { requestBody: { required: true, ...content(takes) } }),
  responses: Object.fromEntries(
    [...Object.entries(answers), ["4XX", {}] as const].map(([status, schema]) => [
      status,
      { description: status, ...(schema !== null && content(schema)) },
    ]),
  ),
});

export const inPath = (name: string, schema: Json = TEXT) => ({
  in: "path",
  name,
  required: true,
  schema,
});

export function toDocument(paths: Json, more: Json = {}) {
  const document = {
    openapi: "3.1.0",
    info: { title: "Styles", version: "1.0.0" },
    security: [{ main: [] }],
    components: { securitySchemes: { main: { type: "http", scheme: "bearer" } } },
    paths,
    ...more,
  };
  return parseDocument({
    file: "styles.yaml",
    document,
    placeOf: () => ({ file: "styles.yaml", line: 1 }),
  });
}

export const TOKEN = "abCD-1234ef-own";

export interface Checked extends ApiOptions {
  readonly rules?: readonly Json[];
  readonly relations?: Json;
  /** What the document has beside its paths. */
  readonly more?: Json;
  readonly target?: Partial<ApiTarget>;
}

export async function check(
  paths: Json,
  reply: (asked: Asked) => Reply,
  { rules = [], relations = {}, more = {}, target, ...options }: Checked = {},
) {
  const document = toDocument(paths, { ...more, "x-relations": { rules, ...relations } });
  return await checkApi({
    document,
    relations: await loadRelations(document),
    target: {
      baseUrl: "http://styles.test",
      first: { headers: { Authorization: `Bearer ${TOKEN}` } },
      fetch: toFetch(reply),
      ...target,
    },
    options,
  });
}

export const SIGN_IN: Reply = { status: 401, body: {}, headers: { "www-authenticate": "Bearer" } };
export const isSignedIn = ({ headers }: Asked): boolean =>
  headers.get("authorization")?.replace(/^bearer /i, "") === TOKEN;
