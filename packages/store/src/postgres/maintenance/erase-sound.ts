// Removes the recordings of calls whose records stay (D41): those of the records and of their earlier states.
import { toCallDigest } from "../../values/call-digest.ts";
import { readWhole } from "../../values/damaged-records.ts";
import { isEqual } from "../../values/row-digest.ts";
import { type StoredVersion, toSoundless } from "../../values/versions.ts";
import { type CallRow, type ReadCall, readItems, type RecordForm } from "../call-rows.ts";
import type { Ask } from "../connection.ts";
import { toUuid } from "../names.ts";
import { toList } from "../values.ts";
import { readVersions } from "../writing/versions.ts";
import { readLegsOfCall } from "./history.ts";

/** Called in a transaction. Returns the calls as they were. */
export async function eraseSound(
  ask: Ask,
  rows: readonly CallRow[],
  form: RecordForm,
): Promise<readonly ReadCall[]> {
  const read = await readItems(ask, rows, form);
  const legs = read.map((one) => ({ ...one, item: readWhole(one.toItem) }));
  const byCallId = Map.groupBy(legs, ({ item }) => item?.record.call_id ?? null);
  // A state is stored as its difference from the next one, so earlier states come first.
  for (const [callId, own] of byCallId)
    if (callId !== null) await eraseOfVersions(ask, { callId, own, form });
  const damaged = legs.filter(({ item }) => item === undefined);
  if (damaged.length > 0) await eraseOfDamaged(ask, damaged);
  const ids = toList(rows.map(({ id }) => BigInt(id)));
  await ask("DELETE FROM recording WHERE call = ANY($1::int8[])", [ids]);
  // A new digest would make a damaged record pass as intact.
  const changed = legs.flatMap(({ row, item }) => {
    if (item === undefined) return [];
    const digest = toUuid(toCallDigest({ ...item, recordings: [] }, row.record));
    return [{ id: BigInt(row.id), digest, isNamed: item.record.call_id !== null, was: row.digest }];
  });
  await ask(
    `UPDATE call SET digest = given.digest FROM unnest($1::int8[], $2::uuid[]) AS given (id, digest) WHERE call.id = given.id`,
    [toList(changed.map(({ id }) => id)), toList(changed.map(({ digest }) => digest))],
  );
  const anonymous = changed.filter(({ isNamed }) => !isNamed);
  await ask(
    `UPDATE call_name SET name = given.digest FROM unnest($1::int8[], $2::uuid[], $3::uuid[]) AS given (id, digest, was)
     WHERE call_name.kind = 'd' AND call_name.id = given.id AND call_name.name = given.was`,
    [
      toList(anonymous.map(({ id }) => id)),
      toList(anonymous.map(({ digest }) => digest)),
      toList(anonymous.map(({ was }) => was)),
    ],
  );
  return read;
}

interface OfVersions {
  readonly callId: string;
  readonly own: readonly ReadCall[];
  readonly form: RecordForm;
}

/** Changes the states of these legs, and of legs that no longer have a record. */
async function eraseOfVersions(ask: Ask, { callId, own, form }: OfVersions): Promise<void> {
  const versions = await readVersions(ask, "call", callId);
  if (versions.length === 0) return;
  const current = await readLegsOfCall(ask, form, callId);
  const isOf = (identity: Uint8Array | null) => (one: { identity: Uint8Array | null }) =>
    identity !== null && one.identity !== null && isEqual(one.identity, identity);
  const isGone = ({ identity }: StoredVersion) =>
    own.some(({ row }) => isOf(identity)(row)) || !current.some(isOf(identity));
  const silent = toSoundless(current, versions, (state) =>
    toCallDigest({ kind: "call", ...state }, form.toStored(state.record)),
  );
  const gone = versions.flatMap((version, index) =>
    isGone(version) ? [{ id: BigInt(version.id), version: silent[index] }] : [],
  );
  await eraseRecordings(ask, gone);
  for (const { id, version } of gone)
    if (version !== undefined)
      await ask(
        "UPDATE version SET state = $2::uuid, was = $3::text, is_whole = $4::bool, digest = NULL WHERE id = $1::int8",
        [id, version.state && toUuid(version.state), version.was, version.isWhole ? "t" : "f"],
      );
}

const eraseRecordings = (ask: Ask, of: readonly { readonly id: bigint }[]) =>
  ask("DELETE FROM version_recording WHERE version = ANY($1::int8[])", [
    toList(of.map(({ id }) => id)),
  ]);

/** No index leads to the names of damaged records, and there are few. */
async function eraseOfDamaged(ask: Ask, damaged: readonly ReadCall[]): Promise<void> {
  await ask(
    `DELETE FROM version_recording WHERE version IN (SELECT version.id FROM call_name JOIN version ON version.name = call_name.name
       AND version.kind = 'call' WHERE call_name.kind = 'c' AND call_name.id = ANY($1::int8[]))`,
    [toList(damaged.map(({ row }) => BigInt(row.id)))],
  );
}
