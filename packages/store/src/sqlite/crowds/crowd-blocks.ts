// The blocks of crowds in their table: each has the calls from its first id on, up to the first of the next block.
import type { DatabaseSync } from "node:sqlite";
import { type Block, MAX_CALLS, type Member, readMembers, toBlock } from "./block.ts";

/** What becomes of calls of a crowd, by their ids; null of one that goes. */
export type Edits = ReadonlyMap<bigint, Member | null>;

interface Place {
  readonly id: bigint;
  readonly first_id: bigint;
}

export function createCrowdBlocks(database: DatabaseSync, kind: string) {
  const list = database.prepare(
    "SELECT id, first_id FROM crowd WHERE kind = ? AND name = ? ORDER BY first_id",
  );
  list.setReadBigInts(true);
  const select = database.prepare("SELECT calls, newest, numbers, ids FROM crowd WHERE id = ?");
  const insert = database.prepare(
    "INSERT INTO crowd (kind, name, first_id, calls, newest, numbers, ids) VALUES (?, ?, ?, ?, ?, ?, ?)",
  );
  const remove = database.prepare("DELETE FROM crowd WHERE id = ?");

  const write = (name: string, members: readonly Member[]) => {
    const [first] = members;
    if (first === undefined) return;
    const { calls, newest, numbers, ids } = toBlock(members);
    insert.run(kind, name, first.id, calls, newest, numbers, ids);
  };
  const listPlaces = (name: string) => list.all(kind, name) as unknown as Place[]; // the columns that are selected
  const readBlock = ({ id }: Place) => readMembers(select.get(id) as unknown as Block); // likewise
  const writeAnew = (name: string, place: Place, edits: Edits) => {
    const members = toEdited(readBlock(place), edits);
    remove.run(place.id);
    for (const part of toParts(members)) write(name, part);
  };

  return {
    /** In the order of their ids; none where there is no such crowd. Throws `RecordDamaged`. */
    read: (name: string): Member[] => listPlaces(name).flatMap(readBlock),
    /** Of calls in the order of their ids. */
    create: (name: string, members: Iterable<Member>): void => {
      let part: Member[] = [];
      for (const member of members) {
        part.push(member);
        if (part.length < MAX_CALLS) continue;
        write(name, part);
        part = [];
      }
      write(name, part);
    },
    /** False where there is no such crowd. Throws `RecordDamaged`. */
    change: (name: string, edits: Edits): boolean => {
      const places = listPlaces(name);
      for (const [place, part] of toGroups(places, edits)) writeAnew(name, place, part);
      return places.length > 0;
    },
  };
}

/** Which edits are of which block; of what lies before all blocks, of the first. */
function toGroups(places: readonly Place[], edits: Edits): Map<Place, Map<bigint, Member | null>> {
  const groups = new Map<Place, Map<bigint, Member | null>>();
  for (const [id, edit] of edits) {
    const place = places.findLast(({ first_id }) => first_id <= id) ?? places[0];
    if (place === undefined) continue;
    const group = groups.get(place) ?? new Map<bigint, Member | null>();
    groups.set(place, group.set(id, edit));
  }
  return groups;
}

function toEdited(members: readonly Member[], edits: Edits): Member[] {
  const edited = new Map<bigint, Member | null>(members.map((member) => [member.id, member]));
  for (const [id, edit] of edits) edited.set(id, edit);
  return Array.from(edited.values())
    .filter((member) => member !== null)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

/** As long as each other, so that there is room in each. */
function toParts(members: readonly Member[]): Member[][] {
  const parts = Math.ceil(members.length / MAX_CALLS);
  const length = Math.ceil(members.length / parts);
  return Array.from({ length: parts }, (_, at) => members.slice(at * length, (at + 1) * length));
}
