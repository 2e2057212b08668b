// A second caller with fewer rights, beside the first: which records they see and have counted (D21).
import { findMissing, toIdentity, toName } from "../archive/records.ts";
import { callIdOf } from "../archive/sample.ts";
import { PAGE_SIZE, searchOf } from "../archive/window.ts";
import { type Ask, isObject, type JsonObject, recordsOf } from "../http/answer.ts";
import { unless } from "../run.ts";
import type { Check, Context } from "./check.ts";
import { covers, meet, type Second } from "./second-caller.ts";
import { findCommonFilter, selectEqual } from "./filter-values.ts";
import { proveDownloads } from "./rights-of-downloads.ts";
import { provePrivateFlags, provePublicFlags, proveUsers } from "./rights-of-users.ts";

const MAX_HIDDEN = 2;

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
    await provePrivateFlags(context, second);
    await provePublicFlags(context, second);
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
    const isShort = found.length < Math.min(PAGE_SIZE, expected.length);
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
  const alone = likely.filter(isAlone);
  const hidden = alone.filter((record) => !covers(second, record)).slice(0, MAX_HIDDEN);
  for (const ask of hidden.flatMap(listAsks)) {
    const answer = await second.ask(ask);
    const { length } = recordsOf(answer);
    const fault = `the answer is ${answer.status} with ${length} records`;
    run.prove("rights.hidden", answer, unless(answer.status === 200 && length === 0, fault));
  }
  const seen = alone.find((record) => covers(second, record));
  for (const ask of seen === undefined ? [] : listAsks(seen)) {
    const [theirs, ours] = [await second.ask(ask), await run.recall(ask)];
    const isSame =
      theirs.status === ours.status && toIdentity(theirs.json) === toIdentity(ours.json);
    const fault = unless(isSame, "the answer is another than that to the first caller");
    run.prove("rights.seen", theirs, fault);
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
