// `app list` and `key list`: issued credentials, their users, and whether they are valid; neither secrets nor their hashes.
import {
  type CallStore,
  isActive,
  type ListedApplication,
  type ListedKey,
  type OnDamaged,
  toStatusName,
} from "@call-media/store";
import { openStore } from "@call-media/store/open";
import type { Command } from "commander";
import { toPrintable } from "@call-media/service/printable";
import { console, io, printTable, toTableWidth } from "@call-media/terminal";
import { addPlaces, type PlaceFlags, toPlaces } from "../command-line/places.ts";
import { findUser } from "./users.ts";

const LAST_USE = `
Last uses are read from the access log, which for a million rows takes some seconds: only requests for data count, and
of an application those with its tokens.`;

const HELP_APP = `
Every application there ever was, oldest first, with the number of its tokens that are still good. Its secretKey is kept
nowhere; the secretID is what "app revoke" takes. STATE is good, revoked, or what its user is: inactive, deleted.
  $ call-media-server app list --data ./archive --last-use
${LAST_USE}`;

const HELP_KEY = `
Every API key there ever was, oldest first. The keys themselves are kept nowhere; the id is what "key revoke" takes.
STATE is good, expired, revoked, or what its user is: inactive, deleted.
Whoever has to take back a key without knowing its id finds it by its user and by when it was created or last used:
  $ call-media-server key list --data ./archive --user mia --last-use
  $ call-media-server key revoke --data ./archive key_0123456789abcdef01234567
${LAST_USE}`;

interface ListFlags extends PlaceFlags {
  readonly user?: string;
  readonly lastUse?: true;
  readonly json?: true;
}

type Listed = ListedApplication | ListedKey;

interface Kind<T> {
  /** Its name in the access log. */
  readonly name: (one: T) => string;
  readonly list: (
    store: CallStore,
    userId: number | undefined,
    onDamaged: OnDamaged,
  ) => Promise<T[]>;
  /** The header of its name, and of the column that only this kind has. */
  readonly columns: readonly [name: string, own: string];
  readonly toOwn: (one: T, toTime: ToTime) => string | number;
  readonly toJson: (one: T) => object;
}

type ToTime = (ms: number | undefined, none: string) => string;

const APPLICATIONS: Kind<ListedApplication> = {
  name: ({ secretID }) => secretID,
  list: ({ credentials }, ...of) => credentials.applications(...of),
  columns: ["SECRET ID", "TOKENS"],
  toOwn: ({ tokens }) => tokens,
  toJson: ({ secretID, tokens }) => ({ secretID, tokens }),
};

const KEYS: Kind<ListedKey> = {
  name: ({ id }) => id,
  list: ({ credentials }, ...of) => credentials.keys(...of),
  columns: ["ID", "EXPIRES"],
  toOwn: ({ expiresMs }, toTime) => toTime(expiresMs, "never"),
  toJson: ({ id, expiresMs }) => ({ id, expires: toIso(expiresMs) }),
};

export function addApplicationList(app: Command): void {
  addList(app, APPLICATIONS, "list the applications of an archive").addHelpText("after", HELP_APP);
}

export function addKeyList(key: Command): void {
  addList(key, KEYS, "list the API keys of an archive").addHelpText("after", HELP_KEY);
}

function addList<T extends Listed>(parent: Command, kind: Kind<T>, description: string): Command {
  return addPlaces(parent.command("list").description(description))
    .option("--user <name>", "those of this user")
    .option("--last-use", "when each was last used, by the access log")
    .option("--json", "print one JSON object a line, for scripts")
    .action(async (flags: ListFlags) => {
      await using store = await openStore(toPlaces(flags));
      const user = flags.user === undefined ? undefined : await findUser(store, flags.user);
      const lastUses = flags.lastUse ? await readLastUses(store) : undefined;
      const findLastUse = lastUses && ((one: T) => lastUses.get(kind.name(one)));
      const damaged = new Set<string>();
      const listed = await kind.list(store, user?.id, (name) => damaged.add(name));
      if (!flags.json) print(listed, kind, findLastUse);
      else for (const one of listed) console.log(JSON.stringify(toJson(one, kind, findLastUse)));
      if (damaged.size === 0) return;
      console.error(toPrintable(`call-media-server: ${toDamagedText([...damaged])}`));
      io().exitCode = 1;
    });
}

// The missing credential may be the one the operator looks for.
const toDamagedText = (names: readonly string[]) =>
  `damaged, and not listed: ${names.join(", ")}. They give no right, "key revoke" and "app revoke" take them back all the same, and "doctor" says what to do`;

async function readLastUses(store: CallStore): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for await (const { credential, userId, timeMs } of store.accessLog.read({}))
    // A failed sign-in does not count as a use.
    if (credential !== undefined && userId !== undefined)
      found.set(credential, Math.max(timeMs, found.get(credential) ?? 0));
  return found;
}

/** In ms since 1970. */
type FindLastUse<T> = ((one: T) => number | undefined) | undefined;

function print<T extends Listed>(
  listed: readonly T[],
  kind: Kind<T>,
  findLastUse: FindLastUse<T>,
): void {
  const toTime = toTableWidth() < WIDE ? toDay : toMinute;
  const [name, own] = kind.columns;
  const rows = listed.map((one) => ({
    [name]: kind.name(one),
    [own]: kind.toOwn(one, toTime),
    USER: toOwner(one),
    STATE: toState(one),
    "LAST USE": toTime(findLastUse?.(one), "never"),
    CREATED: toTime(one.createdMs, ""),
  }));
  const lastUse = findLastUse === undefined ? [] : ["LAST USE"];
  printTable(rows, [name, "USER", "STATE", own, ...lastUse, "CREATED"], [name, "STATE"]);
}

function toJson<T extends Listed>(one: T, kind: Kind<T>, findLastUse: FindLastUse<T>): object {
  const { userId, user, createdMs, revokedMs } = one;
  return {
    ...kind.toJson(one),
    user_id: userId,
    user: user?.username ?? null,
    created: toIso(createdMs),
    revoked: toIso(revokedMs),
    state: toState(one),
    ...(findLastUse && { last_use: toIso(findLastUse(one)) }),
  };
}

function toOwner({ user, userId }: Listed): string {
  return user?.username ?? `user ${userId}`;
}

/** The reason why it cannot be used, if any: its own state, or that of its user (D20). */
function toState(one: Listed): string {
  const { user, revokedMs } = one;
  if (revokedMs !== undefined) return "revoked";
  if ("expiresMs" in one && (one.expiresMs ?? Infinity) <= Date.now()) return "expired";
  if (user === undefined) return "no user";
  return isActive(user) ? "good" : (toStatusName(user.status) ?? String(user.status));
}

/** The number of columns of a table with minutes. */
const WIDE = 110;

const toIso = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString());
const toDay: ToTime = (ms, none) => toIso(ms)?.slice(0, 10) ?? none;
const toMinute: ToTime = (ms, none) => toIso(ms)?.slice(0, 16).replace("T", " ") ?? none;
