// Answers who looked at a call, listened to it, saved it or handed it over (D40): for administrators, who leave a row by asking.
import type { IncomingMessage } from "node:http";
import {
  type CallStore,
  type FoundRecording,
  type FoundRow,
  isFault,
  type LogRow,
} from "@call-media/store";
import {
  type Answer,
  type Caller,
  isUtf8Query,
  methodNotAllowed,
  parameterInvalid,
  type Service,
  toAnswer,
  toJsonReply,
} from "@call-media/service";
import { adminNeeded } from "../http/errors.ts";
import type { Exchange } from "../http/exchange.ts";

export const ACCESS = "/console/access";
export const ACCESS_METHODS: readonly string[] = ["GET", "HEAD"];

const PAGE_ROWS = 50;
const LISTS_MS = 90 * 86_400_000;
// The longest in the contract.
const LONGEST_CALL_ID = 1_024;

interface Asked {
  readonly call_id: string;
  readonly before?: number;
  /** Also the rows of the last 90 days in which the call stood among others. */
  readonly lists?: true;
}

interface Parts {
  readonly service: Service;
  readonly store: CallStore;
  readonly now: () => number;
  /** Throws 401. */
  readonly identify: (exchange: Exchange) => Promise<Caller>;
}

/** Throws `ServiceError`. */
export function createAccessAnswer({ service, store, now, identify }: Parts) {
  const oneAtATime = createTurn();
  const find = async (asked: Asked, caller: Caller, { isGone }: Exchange) => {
    const { call_id: callId, before, lists } = asked;
    const of = { callId };
    // A hidden call is answered as an unknown one (D21).
    const records = await store.calls.byCallId(callId, caller.visibility);
    if (records.length === 0) return { rows: [], ...(lists && { lists: 0 }), next: null };
    const limit = PAGE_ROWS;
    const { count, rows, sinceMs } =
      lists === undefined
        ? { rows: await store.accessLog.ofCall({ ...of, limit, beforeSeq: before }) }
        : await oneAtATime(() =>
            store.accessLog.listsOf({ ...of, limit, isGone, sinceMs: now() - LISTS_MS }),
          );
    const isFull = lists === undefined && rows.length === limit;
    const show = await createShow(store, rows, await store.calls.recordings(of, caller.visibility));
    return {
      rows: rows.map(show),
      ...(sinceMs !== undefined && { lists: count, since: new Date(sinceMs).toISOString() }),
      next: isFull ? (rows.at(-1)?.seq ?? null) : null,
    };
  };

  return async (exchange: Exchange): Promise<Answer> => {
    const caller = await identify(exchange);
    exchange.admit(caller.credential);
    const limits = service.access.count(caller);
    if (!ACCESS_METHODS.includes(exchange.method)) throw methodNotAllowed(ACCESS_METHODS);
    const asked = parse(exchange.query);
    const look = { request: exchange, caller, asked };
    const facts = { userId: caller.user.id, isSession: true };
    if (!caller.user.is_admin) {
      await service.logLook({ ...look, rows: 0, status: 403 });
      throw adminNeeded();
    }
    const found = await find(asked, caller, exchange);
    await service.logLook({ ...look, rows: found.rows.length, status: 200 });
    return toAnswer(toJsonReply(found, limits), exchange, facts);
  };
}

/** Runs each work after the one before: a count of lists reads much of the log. */
function createTurn() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
}

const NAMES: ReadonlySet<string> = new Set(["call_id", "before", "lists"]);

function parse(query: string): Asked {
  if (!isUtf8Query(query)) throw parameterInvalid("the query must be percent-encoded UTF-8");
  const given = new URLSearchParams(query);
  for (const name of given.keys()) {
    if (!NAMES.has(name))
      throw parameterInvalid(`there is no parameter ${JSON.stringify(name.slice(0, 40))}`);
    if (given.getAll(name).length > 1) throw parameterInvalid(`${name} must be given once`);
  }
  const [callId, before, lists] = [given.get("call_id"), given.get("before"), given.get("lists")];
  if (!callId) throw parameterInvalid("call_id is required");
  if (callId.length > LONGEST_CALL_ID)
    throw parameterInvalid(`call_id must have at most ${LONGEST_CALL_ID} characters`);
  if (before !== null && !/^[1-9]\d{0,14}$/.test(before))
    throw parameterInvalid("before must be the number of a row");
  if (lists !== null && lists !== "1") throw parameterInvalid("lists must be 1");
  if (before !== null && lists !== null)
    throw parameterInvalid("before and lists exclude one another");
  return {
    call_id: callId,
    ...(before !== null && { before: Number(before) }),
    ...(lists !== null && { lists: true as const }),
  };
}

/** Shows rows without a secret, another call, or what others searched for. */
async function createShow(
  { users }: CallStore,
  rows: readonly FoundRow[],
  recordings: readonly FoundRecording[],
) {
  const ids = new Set(rows.flatMap((row) => (row.isAltered ? [] : (row.userId ?? []))));
  const names = new Map<number, string>();
  for (const id of ids) names.set(id, (await readName(users, id)) ?? `#${id}`);
  return (row: FoundRow) => {
    if (row.isAltered) return row;
    const { seq, timeMs, userId, operator, operation, status, requestId, isCut, isHandedOut } = row;
    const { recording, use, purpose } = row;
    return {
      seq,
      time: new Date(timeMs).toISOString(),
      user: operator ?? (userId === undefined ? "" : names.get(userId)),
      by: toBy(row),
      operation,
      request: requestId,
      status,
      // The number would reveal legs that this administrator may not see.
      hasRecords: (row.rows ?? 0) > 0,
      recording: recording && toPlace(recording, recordings),
      isCut,
      isHandedOut,
      use,
      purpose,
    };
  };
}

/** Undefined for a damaged user, or one that is gone. */
async function readName(users: CallStore["users"], id: number): Promise<string | undefined> {
  try {
    return (await users.byId(id))?.username;
  } catch (error) {
    if (isFault(error, "damaged")) return undefined;
    throw error;
  }
}

function toBy({ operator, session }: LogRow): "console" | "program" | "command" {
  if (operator !== undefined) return "command";
  return session === undefined ? "program" : "console";
}

/** Bytes `from` to before `to` of a part. Empty for a recording that was replaced, or that this administrator may not see. */
function toPlace(
  { sha256, first, last }: NonNullable<LogRow["recording"]>,
  recordings: readonly FoundRecording[],
) {
  const at = recordings.findIndex(({ media }) => media.sha256 === sha256);
  const found = recordings[at]?.media;
  if (found === undefined) return {};
  const { bytes: of, sound } = found;
  const seconds = sound?.durationMs === undefined ? undefined : sound.durationMs / 1_000;
  return { part: at + 1, from: first, to: last + 1, of, seconds };
}

/** The use and the purpose that the page states for its request. */
type Said = Pick<Caller, "use" | "purpose">;

const LONGEST_PURPOSE = 200;
const SAID: ReadonlyMap<string | undefined, Said> = new Map([
  [undefined, {}],
  ["1", {}],
  ["idle", {}],
  ["save", { use: "save" }],
  ["wave", { use: "wave" }],
  ["hand-over", { use: "hand-over" }],
]);

/** Reads X-Call-Media-Console, such as `hand-over; for=Legal%2C%20case%207`. Throws 400. */
export function readSaid({ headers }: IncomingMessage): Said {
  const value = headers["x-call-media-console"]?.toString();
  const known = SAID.get(value);
  if (known !== undefined) return known;
  const [, encoded] = /^hand-over; ?for=(.*)$/.exec(value ?? "") ?? [];
  if (encoded === undefined)
    throw parameterInvalid(
      "X-Call-Media-Console must be 1, idle, save, wave, hand-over, or hand-over; for=TEXT",
    );
  const purpose = decode(encoded)?.trim();
  if (
    purpose === undefined ||
    purpose.length > LONGEST_PURPOSE ||
    /[\p{Cc}\p{Zl}\p{Zp}]/u.test(purpose)
  )
    throw parameterInvalid(
      `X-Call-Media-Console: for must be percent-encoded UTF-8 of at most ${LONGEST_PURPOSE} characters that can be printed`,
    );
  return { use: "hand-over", ...(purpose !== "" && { purpose }) };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
