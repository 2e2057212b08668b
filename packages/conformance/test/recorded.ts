// Recorded traffic of the tests' own: entries as a browser or a proxy writes them, and checks of files with them.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toHarText } from "@call-media/test-setup/record-har";
import { checkTraffic, loadRelations, type TrafficCheck } from "../src/index.ts";
import { toDocument } from "./styles.ts";

type Json = Readonly<Record<string, unknown>>;

export const HOST = "https://api.test";

export interface Made {
  readonly method?: string;
  /** Below the host, or absolute. */
  readonly url: string;
  readonly sent?: unknown;
  readonly status?: number;
  readonly body?: unknown;
  /** Of the request. */
  readonly asking?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly content?: Json;
  /** Further fields of the entry. */
  readonly more?: Json;
  /** Of the beginning and the end, ms after a moment. */
  readonly atMs?: readonly [from: number, to: number];
}

const START_MS = Date.parse("2026-11-02T08:00:00Z");

const toPairs = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

export function toEntry(made: Made): Json {
  const {
    method = "GET",
    url,
    sent,
    status = 200,
    body,
    asking = {},
    headers,
    content,
    more,
  } = made;
  const [from, to] = made.atMs ?? [0, 10];
  const text = body === undefined ? undefined : JSON.stringify(body);
  const type = text === undefined ? {} : { "Content-Type": "application/json" };
  return {
    startedDateTime: new Date(START_MS + from).toISOString(),
    time: to - from,
    request: {
      method,
      url: url.startsWith("/") ? `${HOST}${url}` : url,
      headers: toPairs(asking),
      ...(sent !== undefined && {
        postData: { mimeType: "application/json", text: JSON.stringify(sent) },
      }),
    },
    response: {
      status,
      headers: toPairs(headers ?? { Date: "Mon, 02 Nov 2026 08:00:00 GMT", ...type }),
      content: {
        size: text === undefined ? 0 : Buffer.byteLength(text),
        mimeType: type["Content-Type"] ?? "",
        ...(text !== undefined && { text }),
        ...content,
      },
    },
    ...more,
  };
}

/** A folder that goes with the test. */
export async function createFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "traffic-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

interface Judging extends Partial<Pick<TrafficCheck, "options" | "baseUrl">> {
  readonly rules?: readonly Json[];
  readonly relations?: Json;
  readonly more?: Json;
}

/** Checks entries in a HAR file. */
export async function judge(
  paths: Json,
  entries: readonly unknown[],
  { rules = [], relations = {}, more = {}, ...check }: Judging = {},
) {
  const document = toDocument(paths, {
    servers: [{ url: HOST }],
    ...more,
    "x-relations": { rules, ...relations },
  });
  await using folder = await createFolder();
  const file = join(folder.path, "session.har");
  await writeFile(file, toHarText(entries));
  return await checkTraffic({
    document,
    relations: await loadRelations(document),
    files: [file],
    ...check,
  });
}

/** "answer.schema readThing: name: missing (log.entries[0])" */
export const toLines = ({ findings }: Awaited<ReturnType<typeof judge>>): string[] =>
  findings.map(
    ({ requirement, operation, fault, recorded }) =>
      `${requirement} ${operation}: ${fault} (${recorded?.entry})`,
  );
