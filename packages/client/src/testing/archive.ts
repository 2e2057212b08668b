// The records of a fake: found by identifier, and searched by page.
import { DAY_MS } from "../limits.ts";
import { isDay } from "../schema-faults.ts";
import type { Behaviour } from "./behaviour.ts";
import { createMatcher } from "./matching.ts";
import { refuse } from "./refusal.ts";
import { isVisible } from "./rights.ts";
import {
  type Call,
  type FakeArchive,
  toCall,
  toFlag,
  toMessage,
  toUser,
  type User,
} from "./seed.ts";

/** A search as it was asked for, its input checked. */
export interface SearchInput {
  readonly query: {
    readonly pageIndex: number;
    readonly startDate: string;
    readonly endDate: string;
  };
  readonly body: Readonly<Record<string, string | number>>;
}

/** One page of what matches. */
export interface FoundPage {
  readonly calls: readonly Call[];
  /** Of all pages. */
  readonly total: number;
  /** Index of the first of `calls` among them. */
  readonly first: number;
}

export type Archive = ReturnType<typeof createArchive>;

/** @throws TypeError where the seed makes no sense. */
export function createArchive(seed: FakeArchive, behaviour: Behaviour) {
  const matches = createMatcher(behaviour);
  const calls = sort(
    (seed.calls ?? []).map((call) => toCall(call, behaviour)),
    behaviour.order,
  );
  const visible = (user: User) => calls.filter((call) => isVisible(call, user, matches));
  const nothing = toCall({}, behaviour);
  const chats = (seed.chats ?? [])
    .map(toMessage)
    .toSorted((a, b) => Date.parse(a.datetime) - Date.parse(b.datetime));
  const users = (seed.users ?? [{ id: 1, username: "admin", is_admin: true }]).map(toUser);
  const [owner] = users;
  if (owner === undefined) throw new TypeError("users must not be empty");
  return {
    users,
    /** The first user. */
    owner,
    flags: (seed.flags ?? []).map(toFlag),
    matches,
    byCallId: (id: string, user: User) =>
      visible(user).filter(({ record }) => record.call_id === id),
    byReference: (id: string, user: User) =>
      visible(user).filter(({ references }) => references.has(id)),
    chat: (callId: string, user: User) => {
      // Of a call without a record nothing is known, which a user without limits alone may see.
      const isSeen = [nothing, ...calls.filter(({ record }) => record.call_id === callId)].some(
        (call) => isVisible(call, user, matches),
      );
      return isSeen ? chats.filter((one) => one.call_id === callId) : [];
    },
    /** @throws Refusal of 400 for days that are none, or as the behaviour has it past the end. */
    search(input: SearchInput, user: User): FoundPage {
      const { from, until } = toRange(input.query, behaviour);
      const found = visible(user).filter(
        ({ record, instantMs = -Infinity }) =>
          from <= instantMs &&
          instantMs < until &&
          Object.entries(input.body).every(([field, wanted]) =>
            // The filter was checked: its keys are fields of records.
            matches(field, record[field as keyof typeof record], wanted),
          ),
      );
      const first = (input.query.pageIndex - behaviour.firstPage) * behaviour.pageSize;
      const page = first < 0 ? [] : found.slice(first, first + behaviour.pageSize);
      const isPast = page.length === 0 && first !== 0;
      if (isPast && behaviour.pastTheEndStatus !== 200)
        throw refuse(behaviour.pastTheEndStatus, "pageIndex is past the end");
      return { calls: page, total: found.length, first };
    },
  };
}

/** Ties stay in the order of the seed (D09). */
function sort(calls: readonly Call[], order: Behaviour["order"]): readonly Call[] {
  if (order === "other") return calls;
  const sign = order === "newest-first" ? -1 : 1;
  const at = ({ instantMs = -Infinity }: Call) => instantMs;
  return calls.toSorted((a, b) => (at(a) === at(b) ? 0 : sign * (at(a) < at(b) ? -1 : 1)));
}

function toRange({ startDate, endDate }: SearchInput["query"], behaviour: Behaviour) {
  for (const [name, day] of Object.entries({ startDate, endDate }))
    if (!isDay(day)) throw refuse(400, `${name} must be a calendar day written YYYY-MM-DD`);
  if (startDate > endDate) throw refuse(400, "startDate must not be after endDate");
  const toMs = (day: string) => Date.parse(day) - behaviour.utcOffsetMinutes.from * 60_000;
  const untilEnd = behaviour.endDate === "included" ? DAY_MS : 0;
  return { from: toMs(startDate), until: toMs(endDate) + untilEnd };
}
