// Mutants that return the right record, with too much or too little next to it.
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
import { SEARCHES, STREAMS, type Mutant, toMutants } from "./mutant.ts";

const EVER = ["0001-01-01", "9999-12-31"] as const;
const MAX_TEXT = 30;

/** Finds records that resemble an identifier, if no record has it. */
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

/** Returns the second recording if there is one. */
const secondFirst: Mutate = async (answer, request, { ask }) => {
  if (queryOf(request, "part") !== "" || answer.status >= 400) return answer;
  const second = await ask(withQuery(request, { part: "2" }));
  return second.status === answer.status ? second : answer;
};

export const nearIdentities: readonly Mutant[] = [
  ...toMutants("identity", "interface", {
    "first-leg-alone": [
      "getMetadataByCallId",
      "of the records of a call only the first comes",
      list((found) => found.slice(0, 1)),
    ],
    "first-of-reference-alone": [
      "getMetadataByReference",
      "of the records of a reference only the first comes",
      list((found) => found.slice(0, 1)),
    ],
    "call-id-by-beginning": [
      "getMetadataByCallId",
      "the beginning of a call_id finds its calls",
      fittingLoosely("call_id", (value, asked) => value.startsWith(asked)),
    ],
    "reference-by-wildcard": [
      "getMetadataByReference",
      "% in a reference stands for anything",
      fittingLoosely(
        "ref_id",
        (value, asked) => asked.endsWith("%") && value.startsWith(asked.slice(0, -1)),
      ),
    ],
    "public-flag-listed-twice": [
      "listPublicFlags",
      "the first flag is there twice",
      list((flags) => [...flags.slice(0, 1), ...flags]),
    ],
    "message-of-another-call": [
      "getChatByCallId",
      "the last message has the call_id of another call",
      list((messages) =>
        messages.map((message, index) =>
          index > 0 && index === messages.length - 1 ? { ...message, call_id: "1" } : message,
        ),
      ),
    ],
  }),
  ...toMutants("identity", "decision", {
    "inactive-with-deleted": [
      "listUsers",
      "inactive lists deleted users too",
      async (answer, request, upstream) => {
        if (queryOf(request, "status") !== "inactive" || answer.status !== 200) return answer;
        const all = await upstream.ask(withQuery(request, { status: "all" }));
        return list((users) => users.filter((user) => user.status !== 1))(all, request, upstream);
      },
    ],
  }),
  ...toMutants("value", "interface", {
    "texts-cut-in-search": [SEARCHES, "searches cut texts after 30 characters", records(cutTexts)],
  }),
  ...toMutants("null", "decision", {
    "null-as-empty-text": [
      "getMetadataByReference",
      "null is empty text when asked by reference",
      records((record) =>
        Object.fromEntries(Object.entries(record).map(([name, value]) => [name, value ?? ""])),
      ),
    ],
  }),
  ...toMutants("value", "decision", {
    "talk-time-in-milliseconds": [
      "getMetadataByCallId",
      "talk_time is in milliseconds when asked by call_id",
      field("talk_time", (value) => Number(value) * 1000),
    ],
  }),
  ...toMutants("media bytes", "decision", {
    "second-recording-first": [
      STREAMS,
      "a stream is of the second recording where there are several",
      secondFirst,
    ],
  }),
  ...toMutants("range", "decision", {
    "part-ignored-in-ranges": [
      STREAMS,
      "a range is of the first recording whatever part says",
      when(
        206,
        asIf((request) =>
          queryOf(request, "part") === "" ? request : withQuery(request, { part: undefined }),
        ),
      ),
    ],
  }),
];
