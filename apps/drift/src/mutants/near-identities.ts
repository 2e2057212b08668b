// Answers that hold the right record and too much or too little next to it.
import { when, withBody } from "../edits/answers.ts";
import {
  field,
  foundNothing,
  type JsonObject,
  list,
  parseSuccess,
  records,
  toText,
} from "../edits/json.ts";
import { asIf, identifierOf, queryOf, withQuery } from "../edits/requests.ts";
import { readRange } from "../edits/search.ts";
import type { Mutate, ProxyRequest, Upstream } from "../exchange.ts";
import { type Mutant, SEARCHES, STREAMS } from "./mutant.ts";

const EVER = ["0001-01-01", "9999-12-31"] as const;
const MAX_TEXT = 30;

/** An identifier that is no record's own finds those that fit it otherwise. */
function fittingLoosely(name: string, fits: (value: string, asked: string) => boolean): Mutate {
  return async (answer, request, upstream) => {
    if (!foundNothing(answer)) return answer;
    const asked = identifierOf(request);
    const all = await readEverything(request, upstream);
    const found = all.filter((record) => fits(toText(record[name]), asked));
    return withBody(answer, JSON.stringify({ ...parseSuccess(answer), data: found.slice(0, 50) }));
  };
}

function readEverything(request: ProxyRequest, upstream: Upstream): Promise<JsonObject[]> {
  const headers = { ...request.headers, "content-type": "application/json" };
  return readRange({ ...request, method: "POST", headers }, upstream, EVER);
}

const cutTexts = (record: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      typeof value === "string" ? value.slice(0, MAX_TEXT) : value,
    ]),
  );

/** The second recording where there is one. */
const secondFirst: Mutate = async (answer, request, { ask }) => {
  if (queryOf(request, "part") !== "" || answer.status >= 400) return answer;
  const second = await ask(withQuery(request, { part: "2" }));
  return second.status === answer.status ? second : answer;
};

export const nearIdentities: readonly Mutant[] = [
  {
    id: "first-leg-alone",
    class: "identity",
    operation: "getMetadataByCallId",
    contract: "interface",
    says: "of the records of a call only the first comes",
    mutate: list((found) => found.slice(0, 1)),
  },
  {
    id: "first-of-reference-alone",
    class: "identity",
    operation: "getMetadataByReference",
    contract: "interface",
    says: "of the records of a reference only the first comes",
    mutate: list((found) => found.slice(0, 1)),
  },
  {
    id: "call-id-by-beginning",
    class: "identity",
    operation: "getMetadataByCallId",
    contract: "interface",
    says: "the beginning of a call_id finds its calls",
    mutate: fittingLoosely("call_id", (value, asked) => value.startsWith(asked)),
  },
  {
    id: "reference-by-wildcard",
    class: "identity",
    operation: "getMetadataByReference",
    contract: "interface",
    says: "% in a reference stands for anything",
    mutate: fittingLoosely(
      "ref_id",
      (value, asked) => asked.endsWith("%") && value.startsWith(asked.slice(0, -1)),
    ),
  },
  {
    id: "inactive-with-deleted",
    class: "identity",
    operation: "listUsers",
    contract: "decision",
    says: "inactive lists deleted users too",
    mutate: async (answer, request, upstream) => {
      if (queryOf(request, "status") !== "inactive" || answer.status !== 200) return answer;
      const all = await upstream.ask(withQuery(request, { status: "all" }));
      return list((users) => users.filter((user) => user.status !== 1))(all, request, upstream);
    },
  },
  {
    id: "public-flag-listed-twice",
    class: "identity",
    operation: "listPublicFlags",
    contract: "interface",
    says: "the first flag is there twice",
    mutate: list((flags) => [...flags.slice(0, 1), ...flags]),
  },
  {
    id: "message-of-another-call",
    class: "identity",
    operation: "getChatByCallId",
    contract: "interface",
    says: "the last message has the call_id of another call",
    mutate: list((messages) =>
      messages.map((message, index) =>
        index > 0 && index === messages.length - 1 ? { ...message, call_id: "1" } : message,
      ),
    ),
  },
  {
    id: "texts-cut-in-search",
    class: "value",
    operation: SEARCHES,
    contract: "interface",
    says: "searches cut texts after 30 characters",
    mutate: records(cutTexts),
  },
  {
    id: "null-as-empty-text",
    class: "null",
    operation: "getMetadataByReference",
    contract: "decision",
    says: "null is empty text when asked by reference",
    mutate: records((record) =>
      Object.fromEntries(Object.entries(record).map(([name, value]) => [name, value ?? ""])),
    ),
  },
  {
    id: "talk-time-in-milliseconds",
    class: "value",
    operation: "getMetadataByCallId",
    contract: "decision",
    says: "talk_time is in milliseconds when asked by call_id",
    mutate: field("talk_time", (value) => Number(value) * 1000),
  },
  {
    id: "second-recording-first",
    class: "media bytes",
    operation: STREAMS,
    contract: "decision",
    says: "a stream is of the second recording where there are several",
    mutate: secondFirst,
  },
  {
    id: "part-ignored-in-ranges",
    class: "range",
    operation: STREAMS,
    contract: "decision",
    says: "a range is of the first recording whatever part says",
    mutate: when(
      206,
      asIf((request) =>
        queryOf(request, "part") === "" ? request : withQuery(request, { part: undefined }),
      ),
    ),
  },
];
