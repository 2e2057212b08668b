// What a user may see, written from D20 to D22 alone, over plain arrays: what the service's answers are compared with.
import { fieldsOf } from "@call-media/api";
import type { ChatMessageRecord, MetadataRecord, UserRecord } from "@call-media/store";
import type { ByCall, Question } from "./rights-questions.ts";
import { type Call, type File, RIGHTS, type World } from "./rights-world.ts";

/** D08, by the case folding of regular expressions: the service has its own. */
function isEqual(a: string, b: string | null): boolean {
  const pattern = a.trim().replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
  return b !== null && new RegExp(`^${pattern}$`, "iu").test(b.trim());
}

/** D21. */
export function maySee(user: UserRecord, record: MetadataRecord): boolean {
  return RIGHTS.every(
    ([right, field]) =>
      user[`allow_all_${right}`] ||
      user[`allowed_${right}`].some((value) => isEqual(value, record[field])),
  );
}

/** D21: without a call record there is nothing by which a restricted user could be allowed a chat. */
export function maySeeChat(
  user: UserRecord,
  seen: readonly Call[],
  chat: ChatMessageRecord,
): boolean {
  return (
    RIGHTS.every(([right]) => user[`allow_all_${right}`]) ||
    seen.some(({ record }) => record.call_id !== null && record.call_id === chat.call_id)
  );
}

/** D22. */
export function mayFetch(user: UserRecord, { filename }: File): boolean {
  const type = /(?<=\.)[^.]*$/.exec(filename)?.[0] ?? "";
  return (
    user.allow_all_download_doc_type ||
    user.allowed_download_doc_type.some((value) => isEqual(value.trim().replace(/^\./, ""), type))
  );
}

/** The world as if nothing were in it that `user` may not see (D20-D22). */
export function toSeen(world: World, user: UserRecord): World {
  const isAll = user.is_admin;
  const calls = world.calls.filter(({ record }) => maySee(user, record));
  return {
    calls,
    chats: world.chats.filter((chat) => maySeeChat(user, calls, chat)),
    users: world.users.filter(({ id }) => isAll || id === user.id),
    flags: world.flags.filter(({ record, userId }) =>
      record.Type === "Public"
        ? user.allow_all_flags || user.allowed_flags.some((name) => isEqual(name, record.Name))
        : isAll || userId === user.id,
    ),
  };
}

export type Expected =
  | { readonly status: 200; readonly data: readonly unknown[] }
  | { readonly status: 200; readonly file: File }
  | { readonly status: 401 | 403 | 404 };

/** What is answered from `seen`, the world as the user sees it. A search: all its pages in one. */
export function answer(seen: World, user: UserRecord, question: Question): Expected {
  if (user.status !== 1) return { status: 401 };
  if (question.ask === "recording") return answerRecording(seen, user, question);
  return { status: 200, data: toData(seen, question) };
}

function answerRecording(
  seen: World,
  user: UserRecord,
  question: ByCall & { part: number },
): Expected {
  if (!user.allow_download) return { status: 403 };
  const last = Number.MAX_VALUE;
  // D17.
  const { file } =
    named(seen, question)
      .toSorted((a, b) => (toInstantMs(a.record) ?? last) - (toInstantMs(b.record) ?? last))
      .flatMap(({ record, files }) =>
        files.map((one) => ({ file: one, atMs: one.startMs ?? toInstantMs(record) ?? last })),
      )
      .toSorted((a, b) => a.atMs - b.atMs)[question.part - 1] ?? {};
  if (file === undefined) return { status: 404 };
  return mayFetch(user, file) ? { status: 200, file } : { status: 403 };
}

const STATUS = { inactive: 0, active: 1, deleted: 2 };

function toData(seen: World, asked: Exclude<Question, { ask: "recording" }>): readonly unknown[] {
  if (asked.ask === "records") return named(seen, asked).map(({ record }) => record);
  if (asked.ask === "search")
    return inOrder(seen.calls.filter((call) => isFound(call, asked))).map(({ record }) => record);
  if (asked.ask === "chat")
    return seen.chats
      .filter(({ call_id }) => call_id === asked.id)
      .toSorted((a, b) => Date.parse(a.datetime) - Date.parse(b.datetime));
  if (asked.ask === "flags")
    return seen.flags.filter(({ userId }) => userId === asked.userId).map(({ record }) => record);
  if (asked.ask === "users")
    return seen.users
      .filter(({ status }) => asked.status === "all" || status === STATUS[asked.status])
      .map((user) => pick(user, fieldsOf("UserBasicRecord")));
  const fields = fieldsOf(asked.of === "address" ? "UserAddressRecord" : "UserSecurityRecord");
  return seen.users.filter(({ id }) => id === asked.userId).map((user) => pick(user, fields));
}

function named({ calls }: World, { by, id }: ByCall): readonly Call[] {
  const isNamed = ({ record, sessionId, masterId }: Call) =>
    by === "call-id" ? record.call_id === id : [record.ref_id, sessionId, masterId].includes(id);
  return inOrder(calls.filter(isNamed));
}

/** D09, and after all others what has no datetime. */
function inOrder(calls: readonly Call[]): readonly Call[] {
  const instantOf = ({ record }: Call) => toInstantMs(record) ?? -Number.MAX_VALUE;
  return calls.toSorted((a, b) => instantOf(b) - instantOf(a));
}

function isFound(
  { record }: Call,
  { filter, days }: Extract<Question, { ask: "search" }>,
): boolean {
  const instantMs = toInstantMs(record);
  const day = instantMs === undefined ? "" : new Date(instantMs).toISOString().slice(0, 10);
  const fields = Object.entries(filter) as [keyof MetadataRecord, string][]; // filter fields are fields of the record
  return (
    days[0] <= day &&
    day <= days[1] &&
    fields.every(([field, value]) => isEqual(value, toText(record[field])))
  );
}

// D03; these archives are in UTC.
function toInstantMs({ datetime }: MetadataRecord): number | undefined {
  return datetime === null
    ? undefined
    : Date.parse(/[Z+]/.test(datetime) ? datetime : `${datetime}Z`);
}

function toText(value: string | number | null): string | null {
  return value === null ? null : String(value);
}

function pick(user: UserRecord, fields: readonly (keyof UserRecord)[]) {
  return Object.fromEntries(fields.map((field) => [field, user[field]]));
}
