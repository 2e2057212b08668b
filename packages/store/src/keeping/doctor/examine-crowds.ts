// Whether the crowds agree with the calls that they were made from: where they do not, somebody sees fewer calls of an
// identifier than they may.
import type { DatabaseSync } from "node:sqlite";
import { RecordDamaged } from "../../call-store.ts";
import { createCrowdBlocks } from "../../sqlite/crowds/crowd-blocks.ts";
import { createMemberLister, createMemberReader } from "../../sqlite/crowds/members.ts";
import type { Member } from "../../sqlite/crowds/block.ts";
import { type Identifier, IDENTIFIERS } from "../../sqlite/identifiers.ts";
import { error, type Finding, RESTORE } from "./finding.ts";

/** Reads the indexes by identifier once, and all calls of crowds. */
export function examineCrowds(archive: DatabaseSync, file: string): Finding[] {
  // One state of the archive for all that is compared, whatever an import writes meanwhile.
  archive.exec("BEGIN");
  try {
    const wrong = IDENTIFIERS.flatMap((identifier) => [...findWrong(archive, identifier)]);
    const [first] = wrong;
    if (first === undefined) return [];
    const what = `identifiers that many calls have do not fit their calls: ${wrong.length}, ${first} for one`;
    return [error(what, file, RESTORE)];
  } finally {
    archive.exec("ROLLBACK");
  }
}

function* findWrong(archive: DatabaseSync, identifier: Identifier): Generator<string, void> {
  const { kind } = identifier;
  const listMembers = createMemberLister(archive, identifier);
  const toMember = createMemberReader(archive);
  const crowds = createCrowdBlocks(archive, kind);
  for (const name of listNames(archive, identifier))
    if (
      !isSame(
        listMembers(name, toMember),
        readCrowd(() => crowds.read(name)),
      )
    )
      yield `${kind} ${name}`;
}

/** Those of crowds, and those that should be. */
function listNames(archive: DatabaseSync, { kind, columns, toStretch, most }: Identifier) {
  const crowded = columns.map(
    (column) =>
      `SELECT ${column} AS name FROM call WHERE ${column} IS NOT NULL
       GROUP BY ${toStretch("call")}, ${column} HAVING count(*) > ${most}`,
  );
  const names = ["SELECT name FROM crowd WHERE kind = ?", ...crowded].join(" UNION ");
  const rows = archive.prepare(names).all(kind);
  return rows.map(({ name }) => String(name));
}

function readCrowd(read: () => readonly Member[]): readonly Member[] {
  try {
    return read();
  } catch (fault) {
    if (fault instanceof RecordDamaged) return [];
    throw fault;
  }
}

function isSame(members: Iterable<Member>, crowd: readonly Member[]): boolean {
  let place = 0;
  for (const { id, numbers } of members) {
    const other = crowd[place];
    if (other?.id !== id || other.numbers.join() !== numbers.join()) return false;
    place += 1;
  }
  return place === crowd.length;
}
