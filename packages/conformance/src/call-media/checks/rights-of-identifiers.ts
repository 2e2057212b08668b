// What a caller with fewer rights finds by identifiers (D21): of hidden records nothing, of others what the first caller finds.
import { toCounted, toIdentity } from "../archive/records.ts";
import { callIdOf } from "../archive/sample.ts";
import { type Ask, type JsonObject, recordsOf } from "../answer.ts";
import { unless } from "../run.ts";
import type { Context } from "./check.ts";
import { type Attempt, covers, type Second } from "./second-caller.ts";

const MAX_HIDDEN = 2;

export async function proveIdentified(context: Context, second: Second): Promise<Attempt[]> {
  const { run } = context;
  const attempts: Attempt[] = [];
  for (const ask of await listAsks(context, (record) => !covers(second, record), MAX_HIDDEN)) {
    const answer = await second.ask(ask);
    const found = recordsOf(answer);
    const isHidden = answer.status === 200 && found.length === 0;
    const fault = unless(isHidden, `the answer is ${answer.status} with ${toCounted(found)}`);
    run.prove("rights.hidden", answer, fault);
    attempts.push({ operation: ask.operation, fault });
  }
  for (const ask of await listAsks(context, (record) => covers(second, record), 1)) {
    const [theirs, ours] = [await second.ask(ask), await run.recall(ask)];
    const isSame =
      theirs.status === ours.status && toIdentity(theirs.json) === toIdentity(ours.json);
    const fault = unless(isSame, "the answer is another than that to the first caller");
    run.prove("rights.seen", theirs, fault);
  }
  return attempts;
}

/** What to ask for records of a kind: by some identifiers that the first caller has records of that kind by, and of no other. */
async function listAsks(
  { run, sample }: Context,
  isOfKind: (record: JsonObject) => boolean,
  most: number,
): Promise<Ask[]> {
  const chatted = new Set(sample.chats.map(({ callId }) => callId));
  const records = (sample.window?.records ?? []).toSorted(
    (a, b) => Number(chatted.has(String(b["call_id"]))) - Number(chatted.has(String(a["call_id"]))),
  );
  const isOnly = async (ask: Ask) => recordsOf(await run.recall(ask)).every(isOfKind);
  const asks: Ask[] = [];
  for (const [call_id] of pickGroups(records, callIdOf, isOfKind).slice(0, most)) {
    const path = { call_id };
    const ask: Ask = { operation: "getMetadataByCallId", path };
    if (await isOnly(ask)) asks.push(ask, { operation: "getChatByCallId", path });
  }
  for (const [ref_id] of pickGroups(records, refIdOf, isOfKind).slice(0, most)) {
    const ask: Ask = { operation: "getMetadataByReference", path: { ref_id } };
    if (await isOnly(ask)) asks.push(ask);
  }
  return asks;
}

/** Identifiers that only records of the kind have, as far as these records tell. */
function pickGroups(
  records: readonly JsonObject[],
  idOf: (record: JsonObject) => string | undefined,
  isOfKind: (record: JsonObject) => boolean,
): (readonly [string, readonly JsonObject[]])[] {
  return [...Map.groupBy(records, idOf)].flatMap(([id, group]) =>
    id !== undefined && group.every(isOfKind) ? [[id, group] as const] : [],
  );
}

function refIdOf({ ref_id: refId }: JsonObject): string | undefined {
  return typeof refId === "string" && refId !== "" ? refId : undefined;
}
