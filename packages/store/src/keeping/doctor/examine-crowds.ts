// Whether the crowds agree with the calls that they were made from: where they do not, somebody sees fewer calls of an
// identifier than they may.
import type { DatabaseSync, SQLOutputValue } from "node:sqlite";
import { RecordDamaged } from "../../call-store.ts";
import {
  type Block,
  compareKeys,
  type Key,
  type Member,
  readBlock,
  toMembers,
} from "../../sqlite/crowds/block.ts";
import { LEAST_CALLS } from "../../sqlite/crowds/large-crowds.ts";
import { createMemberLister, createNumbersReader } from "../../sqlite/crowds/members.ts";
import { prepareBig } from "../../sqlite/files/connection.ts";
import { readAtOnce } from "../../sqlite/files/transaction.ts";
import { type Identifier, IDENTIFIERS } from "../../sqlite/identifiers.ts";
import { error, type Finding, RESTORE } from "./finding.ts";

/** Reads the indexes by identifier once, and all calls of crowds. */
export function examineCrowds(archive: DatabaseSync, file: string): Finding[] {
  const fault = readAtOnce(archive, () => findFault(archive));
  if (fault === undefined) return [];
  return [error(`the crowds of identifiers do not fit the calls: ${fault}`, file, RESTORE)];
}

function findFault(archive: DatabaseSync): string | undefined {
  const lacking = IDENTIFIERS.flatMap((identifier) => listLacking(archive, identifier));
  if (lacking.length > 0) return `${lacking.length} are missing, of ${lacking[0]} for one`;
  try {
    const crowds = sum(withLarge(archive, listAll(archive)));
    const blocks = sum(readAll(archive));
    if (crowds.calls !== blocks.calls)
      return `they have ${blocks.calls} calls, and should have ${crowds.calls}`;
    return crowds.sum === blocks.sum ? undefined : `their ${blocks.calls} calls are others`;
  } catch (fault) {
    if (fault instanceof RecordDamaged) return fault.message;
    throw fault;
  }
}

/** Identifiers that have as many calls as a crowd, and are none. */
function listLacking(archive: DatabaseSync, { kind, columns, toStretch, most }: Identifier) {
  const crowded = columns.map(
    (column) =>
      `SELECT ${column} AS name FROM call WHERE ${column} IS NOT NULL
       GROUP BY ${toStretch("call")}, ${column} HAVING count(*) > ${most}`,
  );
  const lacking = `${crowded.join(" UNION ")} EXCEPT SELECT name FROM crowd WHERE kind = ?`;
  const rows = archive.prepare(lacking).all(kind);
  return rows.map(({ name }) => `${kind} ${String(name)}`);
}

/** What crowds should have. */
function* listAll(archive: DatabaseSync): Generator<Member, void> {
  const toNumbers = createNumbersReader(archive);
  const select = archive.prepare("SELECT name FROM crowd WHERE kind = ?");
  for (const identifier of IDENTIFIERS) {
    const listMembers = createMemberLister(archive, identifier);
    for (const { name } of select.all(identifier.kind)) yield* listMembers(String(name), toNumbers);
  }
}

/** Gives them as they come, those of a crowd together. Throws `RecordDamaged` where a large crowd is not in the list of these. */
function* withLarge(archive: DatabaseSync, members: Iterable<Member>): Generator<Member, void> {
  const select = archive.prepare("SELECT 1 FROM large_crowd WHERE term = ?");
  let [last, calls] = [-1, 0];
  for (const member of members) {
    const { term } = member;
    calls = term === last ? calls + 1 : 1;
    last = term;
    if (calls === LEAST_CALLS + 1 && select.get(term) === undefined)
      throw new RecordDamaged("a large one is not listed");
    yield member;
  }
}

/** What they have. Throws `RecordDamaged`, also when it is in another order. */
function* readAll(archive: DatabaseSync): Generator<Member, void> {
  const select = prepareBig(archive, "SELECT * FROM crowd_block ORDER BY from_term, from_id");
  let last: Key | undefined;
  for (const row of select.iterate()) {
    const [from, block] = readRow(row);
    if (last === undefined && from.term !== -1) throw new RecordDamaged("the first are missing");
    const members = toMembers(readBlock(block));
    for (const member of [from, ...members]) {
      if (last && compareKeys(last, member) > 0) throw new RecordDamaged("they are in no order");
      last = member;
    }
    yield* members;
  }
}

function readRow(row: Record<string, SQLOutputValue>): [Key, Block] {
  const { from_term, from_id, calls, newest, ...bytes } = row;
  return [
    { term: Number(from_term), id: from_id as bigint }, // of a STRICT table, as the others
    { ...(bytes as Pick<Block, "keys" | "numbers">), calls: Number(calls), newest: Number(newest) },
  ];
}

/** Another call or another number makes another sum but once in 4,000 million. */
function sum(members: Iterable<Member>) {
  let [calls, total] = [0, 0];
  for (const { term, id, numbers } of members) {
    calls += 1;
    const own = numbers.reduce(
      (folded, number) => Math.imul(folded, 31) + number,
      Number(BigInt.asIntN(32, id ^ (id >> 29n))),
    );
    total = (total + Math.imul(own, Math.trunc(term % 2 ** 32) | 1)) | 0;
  }
  return { calls, sum: total };
}
