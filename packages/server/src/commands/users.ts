// `call-media-server user`: lists, adds and changes users and their rights.
import { type CallStore, isActive, toStatusName, type UserRecord } from "@call-media/store";
import { createStore, openStore } from "@call-media/store/open";
import type { Command } from "commander";
import { console, io, printTable, UsageError } from "@call-media/terminal";
import { toDamagedLines } from "../command-line/damage.ts";
import { addPlaces, type PlaceFlags, toPlaces } from "../command-line/places.ts";
import { toPrintable } from "@call-media/service/printable";
import { changeUser } from "./change-user.ts";
import {
  applyFields,
  createUser,
  listGiven,
  listUnseen,
  toTimestamp,
  USER_FIELDS,
} from "./user-fields.ts";

const HELP = `
A field is written name=value; the values of a list are separated by commas, or the list is JSON; nothing after = means
null:
  $ call-media-server user add --data ./archive mia email_id=mia@example.com allow_download=true "allow_all_*=true"
  $ call-media-server user set --data ./archive mia allow_all_campaigns=false allowed_campaigns=Billing,"Move of house"
A name that ends in * sets every field that begins so; fields that follow it override it.

Which calls a user sees is decided by the pairs allow_all_X and allowed_X for campaigns, skills, agents, groups, media
and secure01 to secure05. Each pair must let a call through: allow_all_X is true, or allowed_X has the value of the
call. A new user sees no call.

status is 1 active, 0 inactive, 2 deleted.

Fields:
  ${USER_FIELDS.join(", ").replace(/(.{1,76}), /g, "$1,\n  ")}`;

export function configureUser(user: Command): void {
  addAddCommand(user);
  addSetCommand(user);
  addListCommand(user);
}

function addAddCommand(user: Command): void {
  addPlaces(
    user
      .command("add <name> [field=value...]")
      .description("add a user, to a new archive if there is none"),
  )
    .addHelpText("after", HELP)
    .action(async (name: string, fields: string[], places: PlaceFlags) => {
      applyFields(createUser(name, FIRST_ID), fields); // a rejected command does not create an archive
      await using store = await createStore(toPlaces(places));
      const record = await changeUser(
        store,
        { operation: "user add", username: name },
        async () => {
          if ((await store.users.byName(name)) !== undefined)
            throw new UsageError(`there is a user ${name} already: use "user set"`);
          return {
            before: null,
            record: applyFields(createUser(name, await nextId(store)), fields),
          };
        },
      );
      console.log(`Added ${record.username} as user ${record.id}.`);
      warnOfUnseen(record);
      await warnOfUnknown(store, record, fields);
    });
}

function addSetCommand(user: Command): void {
  addPlaces(user.command("set <name> <field=value...>").description("change fields of a user"))
    .addHelpText("after", HELP)
    .action(async (name: string, fields: string[], places: PlaceFlags) => {
      await using store = await openStore(toPlaces(places));
      const record = await changeUser(
        store,
        { operation: "user set", username: name },
        async () => {
          const before = await findUser(store, name);
          return {
            before,
            record: applyFields({ ...before, modified_date: toTimestamp() }, fields),
          };
        },
      );
      console.log(`Changed ${name}.`);
      warnOfUnseen(record);
      await warnOfUnknown(store, record, fields);
    });
}

function addListCommand(user: Command): void {
  addPlaces(user.command("list").description("list the users of an archive"))
    .option("--json", "print every field of every user, one JSON object a line")
    .action(async ({ json, ...places }: PlaceFlags & { json?: true }) => {
      await using store = await openStore(toPlaces(places));
      const damaged: string[] = [];
      const users = await store.users.list(undefined, (name) => damaged.push(name));
      if (json) for (const record of users) console.log(JSON.stringify(record));
      else printTable(users.map(toRow), COLUMNS, ["ID", "STATUS"]);
      if (damaged.length === 0) return;
      for (const line of toDamagedLines(damaged)) console.error(line);
      io().exitCode = 1;
    });
}

/** Throws `UsageError` if the archive has no such user. */
export async function findUser(store: CallStore, name: string): Promise<UserRecord> {
  const user = await store.users.byName(name);
  if (user === undefined)
    throw new UsageError(`there is no user ${name}: "user list" shows those there are`);
  return user;
}

/** Warns that credentials are rejected because their user may not sign in: the service itself does not say why (D14). */
export function warnOfInactive(user: UserRecord): void {
  const { username, status } = user;
  if (isActive(user)) return;
  console.error(
    `${username} is ${toStatusName(status)}: this is refused until "user set ${username} status=1"`,
  );
}

function warnOfUnseen(user: UserRecord): void {
  const unseen = listUnseen(user);
  if (unseen.length === 0) return;
  console.error(
    `${user.username} sees no calls: nothing is allowed of ${unseen.join(", ")} ("allow_all_*=true" allows all)`,
  );
}

// The allowed years of a record, without one day at each end.
const [FIRST_DAY, LAST_DAY] = ["1831-01-02", "2247-12-30"];

/** A misspelt value, or one in another notation than a list, would silently hide everything. */
async function warnOfUnknown(
  store: CallStore,
  record: UserRecord,
  fields: readonly string[],
): Promise<void> {
  for (const { field, value, right } of listGiven(record, fields)) {
    const { records } = await store.calls.search({
      filter: { [field]: value },
      startDate: FIRST_DAY,
      endDate: LAST_DAY,
      pageIndex: 0,
      visibility: "everything",
      isCounted: false,
    });
    if (records.length === 0)
      console.error(
        toPrintable(`no call with a datetime has the ${field} "${value}" yet: check ${right}`),
      );
  }
}

async function nextId(store: CallStore): Promise<number> {
  const users = await store.users.list();
  return users.reduce((next, { id }) => Math.max(next, id + 1), FIRST_ID);
}

const FIRST_ID = 1;

const COLUMNS = ["ID", "USERNAME", "STATUS", "GROUP", "EMAIL"] as const;

function toRow({ id, username, status, is_admin, group, email_id }: UserRecord) {
  return {
    ID: id,
    USERNAME: username,
    STATUS: toStatusName(status) ?? status,
    GROUP: is_admin ? "administrator" : group,
    EMAIL: email_id,
  };
}
