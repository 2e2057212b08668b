// A second caller with fewer rights, beside the first: what they may see, have counted and download (D21, D22).
import { findMissing, toIdentity, toMatchKey, toName } from "../archive/records.ts";
import { callIdOf } from "../archive/sample.ts";
import { searchOf } from "../archive/window.ts";
import { type Ask, isObject, type JsonObject, recordsOf } from "../http/answer.ts";
import { RECORDINGS } from "../requirements/requirement.ts";
import type { Run } from "../run.ts";
import { unless } from "../run.ts";
import type { Check, Context } from "./check.ts";
import { covers, meet, type Second } from "./second-caller.ts";
import { findCommonFilter, selectEqual } from "./filter-values.ts";

const MAX_CALLS = 2;
const MAX_USERS = 4;

const PROVED = [
  "rights.records",
  "rights.hidden",
  "rights.seen",
  "rights.download",
  "rights.users",
  "rights.private-flags",
  "rights.public-flags",
  "rights.own",
] as const;

export const rights: Check = {
  about: "a caller with fewer rights",
  proves: PROVED,
  run: async (context) => {
    const second = await meet(context);
    if (typeof second === "string") {
      for (const id of PROVED) context.run.skip(id, second);
      return;
    }
    await proveRecords(context, second);
    await proveIdentified(context, second);
    await proveDownloads(context, second);
    await proveUsers(context, second);
    await proveFlags(context, second);
  },
};

async function proveRecords({ run, sample: { window } }: Context, second: Second): Promise<void> {
  if (window?.isWhole !== true) return;
  const covered = window.records.filter((record) => covers(second, record));
  const filter = findCommonFilter(covered) ?? findCommonFilter(window.records);
  const { startDate, endDate } = window.search;
  const searches = [
    { search: window.search, expected: covered },
    ...(filter
      ? [
          {
            search: { operation: "searchMetadata" as const, body: filter, startDate, endDate },
            expected: selectEqual(covered, filter),
          },
        ]
      : []),
  ];
  for (const { search, expected } of searches) {
    const answer = await second.ask(searchOf(search, window.base));
    const found = recordsOf(answer);
    const [extra] = findMissing(found, expected);
    const isShort = found.length < Math.min(50, expected.length);
    const count = isObject(answer.json) ? answer.json["recordCount"] : undefined;
    const isCounted = search.operation === "searchMetadata" || count === expected.length;
    const fault = extra
      ? `${toName(extra)} is not covered by the rights`
      : unless(
          !isShort && isCounted,
          `${found.length} records, counted ${String(count)}; the rights cover ${expected.length}`,
        );
    run.prove("rights.records", answer, fault);
    run.observe({
      decision: "D21",
      question: `What does a caller with fewer rights find? (${search.operation})`,
      observed: fault === undefined ? "what the rights cover" : fault,
      value: found.length,
      agrees: fault === undefined,
    });
  }
}

async function proveIdentified({ run, sample }: Context, second: Second): Promise<void> {
  const records = (sample.window?.records ?? []).filter((record) => callIdOf(record) !== undefined);
  const isAlone = (record: JsonObject) =>
    ["call_id", "ref_id"].every(
      (name) => records.filter((other) => other[name] === record[name]).length === 1,
    );
  const chatted = new Set(sample.chats.map(({ callId }) => callId));
  const likely = records.toSorted(
    (a, b) => Number(chatted.has(String(b["call_id"]))) - Number(chatted.has(String(a["call_id"]))),
  );
  const hidden = likely
    .filter((record) => !covers(second, record) && isAlone(record))
    .slice(0, MAX_CALLS);
  const seen = likely
    .filter((record) => covers(second, record) && isAlone(record))
    .slice(0, MAX_CALLS);
  for (const record of hidden)
    for (const ask of listAsks(record)) {
      const answer = await second.ask(ask);
      run.prove(
        "rights.hidden",
        answer,
        unless(
          answer.status === 200 && recordsOf(answer).length === 0,
          `the answer is ${answer.status} with ${recordsOf(answer).length} records`,
        ),
      );
    }
  for (const record of seen)
    for (const ask of listAsks(record)) {
      const [theirs, ours] = [await second.ask(ask), await run.ask(ask)];
      const isSame =
        theirs.status === ours.status && toIdentity(theirs.json) === toIdentity(ours.json);
      run.prove(
        "rights.seen",
        theirs,
        unless(isSame, "the answer is another than that to the first caller"),
      );
    }
}

function listAsks({ call_id: callId, ref_id: refId }: JsonObject): readonly Ask[] {
  const path = { call_id: String(callId) };
  return [
    { operation: "getMetadataByCallId", path },
    { operation: "getChatByCallId", path },
    ...(typeof refId === "string"
      ? [{ operation: "getMetadataByReference", path: { ref_id: refId } } as const]
      : []),
  ];
}

async function proveDownloads(
  { run, sample: { recordings } }: Context,
  second: Second,
): Promise<void> {
  const { rights: of } = second;
  const allowed = of["allowed_download_doc_type"];
  const toType = (name: string) => name.trim().toLowerCase().replace(/^\./, "");
  const types = Array.isArray(allowed) ? allowed.map(String).map(toType) : [];
  for (const { record, filename, callId } of recordings) {
    if (record === undefined) continue;
    const isHidden = !covers(second, record);
    const isOfType =
      of["allow_all_download_doc_type"] === true ||
      types.includes(toType(filename.split(".").at(-1) ?? ""));
    const isAllowed = of["allow_download"] === true && isOfType;
    const expected = of["allow_download"] !== true ? 403 : isHidden ? 404 : isAllowed ? 200 : 403;
    for (const operation of RECORDINGS) {
      const isByReference = operation.endsWith("Reference");
      const { ref_id: refId } = record;
      if (isByReference && typeof refId !== "string") continue;
      const path = isByReference ? { ref_id: String(refId) } : { call_id: callId };
      const answer = await second.ask({ operation, path });
      const id =
        expected === 404 ? "rights.hidden" : expected === 403 ? "rights.download" : "rights.seen";
      // Another leg under the same reference may be covered.
      if (isByReference && answer.status !== expected && (await isShared(run, String(refId))))
        continue;
      run.prove(
        id,
        answer,
        unless(answer.status === expected, `the answer is ${answer.status}, not ${expected}`),
      );
    }
  }
}

async function isShared(run: Run, refId: string): Promise<boolean> {
  const answer = await run.ask({ operation: "getMetadataByReference", path: { ref_id: refId } });
  return recordsOf(answer).length !== 1;
}

async function proveUsers(
  { run, sample: { users } }: Context,
  { ask, user }: Second,
): Promise<void> {
  for (const other of users.slice(0, MAX_USERS)) {
    const isOwn = other["id"] === user["id"];
    const query = { user_id: String(other["id"]) };
    for (const operation of ["getUserAddresses", "getUserSecurityRights"] as const) {
      const [theirs, ours] = [await ask({ operation, query }), await run.ask({ operation, query })];
      if (isOwn)
        run.prove(
          "rights.own",
          theirs,
          unless(
            toIdentity(theirs.json) === toIdentity(ours.json),
            "the answer is another than that to the first caller",
          ),
        );
      else
        run.prove(
          "rights.users",
          theirs,
          unless(
            theirs.status === 200 && recordsOf(theirs).length === 0,
            `another user is given, ${theirs.status}`,
          ),
        );
    }
  }
}

async function proveFlags({ run, sample: { users } }: Context, { ask, user, rights: of }: Second) {
  for (const { id } of users) {
    const request = { operation: "listPrivateFlags", query: { user_id: String(id) } } as const;
    const [theirs, ours] = [await ask(request), await run.ask(request)];
    const expected = id === user["id"] ? recordsOf(ours) : [];
    run.prove(
      "rights.private-flags",
      theirs,
      unless(
        toIdentity(recordsOf(theirs)) === toIdentity(expected),
        `${recordsOf(theirs).length} flags of user ${String(id)} are given, not ${expected.length}`,
      ),
    );
  }
  const [theirs, ours] = [
    await ask({ operation: "listPublicFlags" }),
    await run.ask({ operation: "listPublicFlags" }),
  ];
  const allowed = of["allowed_flags"];
  const names = new Set(
    (Array.isArray(allowed) ? allowed : []).map((name) => toMatchKey("Name", name)),
  );
  const expected = recordsOf(ours).filter(
    ({ Name }) => of["allow_all_flags"] === true || names.has(toMatchKey("Name", Name)),
  );
  run.prove(
    "rights.public-flags",
    theirs,
    unless(
      toIdentity(recordsOf(theirs)) === toIdentity(expected),
      `${recordsOf(theirs).length} flags are given; the rights cover ${expected.length}`,
    ),
  );
}
