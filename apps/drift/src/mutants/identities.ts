// Mutants that return something or somebody else, or the right record with too much or too little next to it.
import { when, withBody } from "../edits/answers.ts";
import {
  field,
  type Json,
  type JsonObject,
  list,
  parseSuccess,
  records,
  toRecords,
  toText,
  whenEmpty,
} from "../edits/json.ts";
import {
  asIf,
  asIfQuery,
  identifierOf,
  queryOf,
  withIdentifier,
  withQuery,
} from "../edits/requests.ts";
import { readRange } from "../edits/search.ts";
import type { Mutate, ProxyRequest, Upstream } from "../exchange.ts";
import { type Deviation, type Mutant, RECORDINGS, SEARCHES, STREAMS, toMutants } from "./mutant.ts";

// From the demo archive: a spoken call, and a reference of another call.
const OTHER_CALL = "300000000100017";
const OTHER_REFERENCE = "FHR-000001";
const EVER = ["0001-01-01", "9999-12-31"] as const;
const MAX_TEXT = 30;

/** Returns the response for another identifier instead of a success. */
export const always = (identifier: string): Deviation => [
  `what belongs to ${identifier} comes for any identifier`,
  when(
    [200, 206],
    asIf((request) => withIdentifier(request, identifier)),
  ),
];

const alwaysUser = (id: string): Deviation => [
  `what belongs to user ${id} comes for any user_id`,
  asIf((request) =>
    /^\d+$/.test(queryOf(request, "user_id")) ? withQuery(request, { user_id: id }) : request,
  ),
];

/** Adds the flags of the other list. */
const withFlagsOf =
  (pathname: string, query: string): Mutate =>
  async (answer, request, upstream) => {
    const other = parseSuccess(await upstream.ask({ ...request, pathname, query }));
    return other === undefined
      ? answer
      : list((flags) => [...flags, ...toRecords(other)])(answer, request, upstream);
  };

const listedAs = (status: string, edit: (users: JsonObject[]) => JsonObject[]) =>
  list((users, request) => (queryOf(request, "status") === status ? edit(users) : users));

function readEverything(request: ProxyRequest, upstream: Upstream): Promise<JsonObject[]> {
  const headers = { ...request.headers, "content-type": "application/json" };
  return readRange({ ...request, method: "POST", headers }, upstream, EVER);
}

/** Finds records that resemble an identifier, if no record has it. */
const fittingLoosely = (name: string, fits: (value: string, asked: string) => boolean): Mutate =>
  whenEmpty(async (answer, request, upstream) => {
    const asked = identifierOf(request);
    const all = await readEverything(request, upstream);
    const found = all.filter((record) => fits(toText(record[name]), asked));
    return withBody(answer, JSON.stringify({ ...parseSuccess(answer), data: found.slice(0, 50) }));
  });

const eachValue = (edit: (value: Json) => Json) =>
  records((record) =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, edit(value)])),
  );

/** Returns the second recording if there is one. */
const secondFirst: Mutate = async (answer, request, { ask }) => {
  if (queryOf(request, "part") !== "" || answer.status >= 400) return answer;
  const second = await ask(withQuery(request, { part: "2" }));
  return second.status === answer.status ? second : answer;
};

const ownFlags = whenEmpty(async (_answer, request, { ask }) =>
  ask(withQuery(request, { user_id: "1" })),
);

const withDeleted = when(200, async (answer, request, upstream) => {
  if (queryOf(request, "status") !== "inactive") return answer;
  const all = await upstream.ask(withQuery(request, { status: "all" }));
  return list((users) => users.filter((user) => user.status !== 1))(all, request, upstream);
});

export const identities: readonly Mutant[] = [
  ...toMutants("identity", "interface", {
    "call-id-ignored": ["getMetadataByCallId", ...always(OTHER_CALL)],
    "call-id-changed": ["getMetadataByCallId", field("call_id", (value) => `0${toText(value)}`)],
    "other-call-added": [
      "getMetadataByCallId",
      list(([first, ...others]) =>
        first ? [first, ...others, { ...first, call_id: "300000000100018" }] : [],
      ),
    ],
    "reference-ignored": ["getMetadataByReference", ...always(OTHER_REFERENCE)],
    "reference-finds-nothing": ["getMetadataByReference", list(() => [])],
    "record-differs-by-call-id": ["getMetadataByCallId", field("agent", "amara.okafor.2")],
    "record-differs-by-reference": [
      "getMetadataByReference",
      records((record) => ({ ...record, campaign: null, disposition: null })),
    ],
    "address-of-another": ["getUserAddresses", ...alwaysUser("2")],
    "rights-of-another": ["getUserSecurityRights", ...alwaysUser("1")],
    "address-with-other-id": ["getUserAddresses", field("id", (value) => Number(value) + 1)],
    "rights-with-other-name": [
      "getUserSecurityRights",
      field("username", (value) => `${toText(value)}.old`),
    ],
    "private-flags-of-one": ["listPrivateFlags", ...alwaysUser("1")],
    "private-with-public-flags": ["listPrivateFlags", withFlagsOf("/flags/public", "")],
    "public-with-private-flags": ["listPublicFlags", withFlagsOf("/flags/private", "user_id=1")],
    "chat-of-another": ["getChatByCallId", ...always(OTHER_CALL)],
    "status-ignored": [
      "listUsers",
      asIf((request) =>
        ["active", "inactive", "deleted"].includes(queryOf(request, "status"))
          ? withQuery(request, { status: "all" })
          : request,
      ),
    ],
    "all-without-deleted": [
      "listUsers",
      listedAs("all", (users) => users.filter((user) => user.status !== 2)),
    ],
    "user-listed-twice": ["listUsers", list((users) => [...users, ...users.slice(-1)])],
    "first-leg-alone": ["getMetadataByCallId", list((found) => found.slice(0, 1))],
    "first-of-reference-alone": ["getMetadataByReference", list((found) => found.slice(0, 1))],
    "call-id-by-beginning": [
      "getMetadataByCallId",
      fittingLoosely("call_id", (value, asked) => value.startsWith(asked)),
    ],
    "reference-by-wildcard": [
      "getMetadataByReference",
      fittingLoosely(
        "ref_id",
        (value, asked) => asked.endsWith("%") && value.startsWith(asked.slice(0, -1)),
      ),
    ],
    "public-flag-listed-twice": [
      "listPublicFlags",
      list((flags) => [...flags.slice(0, 1), ...flags]),
    ],
    "message-of-another-call": [
      "getChatByCallId",
      list((messages) => {
        const others = messages.slice(0, -1);
        const last = messages.slice(others.length).map((one) => ({ ...one, call_id: "1" }));
        return others.length === 0 ? messages : [...others, ...last];
      }),
    ],
  }),
  ...toMutants("identity", "decision", {
    "statuses-swapped": [
      "listUsers",
      field("status", (value) => (value === 0 ? 1 : value === 1 ? 0 : value)),
    ],
    "part-ignored": [RECORDINGS, asIfQuery({ part: undefined })],
    "inactive-with-deleted": ["listUsers", withDeleted],
    "unknown-user-has-own-flags": [
      "listPrivateFlags",
      "for an unknown user_id the flags of user 1 come",
      ownFlags,
    ],
  }),
  ...toMutants("value", "interface", {
    "texts-cut-in-search": [
      SEARCHES,
      eachValue((value) => (typeof value === "string" ? value.slice(0, MAX_TEXT) : value)),
    ],
  }),
  ...toMutants("null", "decision", {
    "null-as-empty-text": ["getMetadataByReference", eachValue((value) => value ?? "")],
  }),
  ...toMutants("value", "decision", {
    "talk-time-in-milliseconds": [
      "getMetadataByCallId",
      field("talk_time", (value) => Number(value) * 1000),
    ],
  }),
  ...toMutants("media bytes", "decision", {
    "second-recording-first": [STREAMS, secondFirst],
  }),
];
