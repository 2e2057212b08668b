// Runs the two searches as another service would: with its pages, days, order and comparison.
import type { OperationId, Schema } from "@call-media/api";
import { parseDatetime } from "@call-media/store/values";
import { type Behaviour, DECIDED, toTimeZone } from "./behaviour.ts";
import { createMatcher } from "./matching.ts";

type MetadataRecord = Schema<"MetadataRecord">;

/** Sends a request to this project's service. */
type Ask = (request: Request) => Promise<Response>;

const OF_SEARCH = [
  "firstPage",
  "pageSize",
  "pastTheEndStatus",
  "recordCount",
  "order",
  "endDate",
  "ignoresCase",
  "ignoresOuterSpaces",
  "matchesBeginning",
  "matchesEnd",
  "ignoresPhoneNotation",
] as const satisfies readonly (keyof Behaviour)[];

export function isForeign(behaviour: Behaviour): boolean {
  return OF_SEARCH.some((field) => behaviour[field] !== DECIDED[field]);
}

/** Checks the request as this project's service does, then reads all records of its days and filters them here. */
export async function searchAsForeign(
  request: Request,
  {
    operationId,
    behaviour,
    ask,
  }: {
    readonly operationId: OperationId;
    readonly behaviour: Behaviour;
    readonly ask: Ask;
  },
): Promise<Response> {
  const text = await request.text();
  const url = new URL(request.url);
  const checked = await ask(new Request(request, { method: "POST", body: text }));
  if (!checked.ok) return checked;
  const wanted: Record<string, string | number> = JSON.parse(text);
  const records = sort(await readAll(request, behaviour, ask), behaviour).filter((record) =>
    isWanted(record, wanted, behaviour),
  );
  return toPage(records, { url, operationId, behaviour, headers: checked.headers });
}

function isWanted(
  record: MetadataRecord,
  wanted: Readonly<Record<string, string | number>>,
  behaviour: Behaviour,
): boolean {
  const matches = createMatcher(behaviour);
  return Object.entries(wanted).every(([field, value]) =>
    // The filter was validated: its keys are fields of records.
    matches(field, record[field as keyof MetadataRecord], value),
  );
}

const DAY_MS = 86_400_000;

async function readAll(request: Request, behaviour: Behaviour, ask: Ask) {
  const url = new URL(request.url);
  const last = Date.parse(url.searchParams.get("endDate") ?? "");
  const excluded = behaviour.endDate === "excluded" ? DAY_MS : 0;
  const endDate = new Date(last - excluded).toISOString().slice(0, 10);
  if (endDate < (url.searchParams.get("startDate") ?? "")) return [];
  url.pathname = url.pathname.replace(/search$/, "by-custom-fields");
  url.searchParams.set("endDate", endDate);
  const records: MetadataRecord[] = [];
  for (let pageIndex = 0; ; pageIndex += 1) {
    url.searchParams.set("pageIndex", String(pageIndex));
    const { method, headers } = request;
    const page = await ask(new Request(url, { method, headers, body: "{}" }));
    const { data } = (await page.json()) as { readonly data: readonly MetadataRecord[] }; // keeps the contract
    records.push(...data);
    if (!page.headers.has("Link")) return records;
  }
}

function sort(newestFirst: readonly MetadataRecord[], behaviour: Behaviour) {
  const { order } = behaviour;
  if (order === "newest-first") return newestFirst;
  if (order === "other")
    return newestFirst.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  const timeZone = toTimeZone(behaviour);
  const at = ({ datetime }: MetadataRecord) => {
    const parsed = parseDatetime(datetime ?? "", timeZone);
    return typeof parsed === "object" ? parsed.instantMs : 0;
  };
  return newestFirst.toSorted((a, b) => at(a) - at(b));
}

interface Asked {
  readonly url: URL;
  readonly operationId: OperationId;
  readonly behaviour: Behaviour;
  /** The headers of this project's service. */
  readonly headers: Headers;
}

function toPage(records: readonly MetadataRecord[], asked: Asked): Response {
  const { url, operationId, behaviour } = asked;
  const { firstPage, pageSize, pastTheEndStatus } = behaviour;
  const pageIndex = Number(url.searchParams.get("pageIndex"));
  const first = (pageIndex - firstPage) * pageSize;
  const data = first < 0 ? [] : records.slice(first, first + pageSize);
  const headers = new Headers(asked.headers);
  for (const name of ["Link", "Content-Length", "Content-Range"]) headers.delete(name);
  if (data.length === 0 && first !== 0 && pastTheEndStatus !== 200) {
    const body = { isError: true, errorMessage: "pageIndex is past the end", data: [] };
    return new Response(JSON.stringify(body), { status: pastTheEndStatus, headers });
  }
  if (asked.headers.has("Content-Range")) {
    const range = data.length === 0 ? "*" : `${first}-${first + data.length - 1}`;
    headers.set("Content-Range", `records ${range}/${records.length}`);
  }
  if (data.length > 0 && first + data.length < records.length) {
    const next = new URLSearchParams(url.searchParams);
    next.set("pageIndex", String(pageIndex + 1));
    headers.set("Link", `<${url.pathname}?${next.toString()}>; rel="next"`);
  }
  const envelope = { isError: false, errorMessage: null, data };
  const recordCount = behaviour.recordCount === "all" ? records.length : data.length;
  const counted = operationId === "searchMetadataByCustomFields" && {
    pageID: pageIndex,
    recordCount,
  };
  return new Response(JSON.stringify({ ...envelope, ...counted }), { headers });
}
