// `call-media-server user`: who there is, and what they may do.
import type { CallStore, UserRecord } from "@call-media/store";
import { createStore, openStore } from "@call-media/store/sqlite";
import type { Command } from "commander";
import { toPrintable } from "../printable.ts";
import { changeUser } from "./change-user.ts";
import { UsageError } from "./usage-error.ts";
import { applyFields, createUser, listUnseen, toTimestamp, USER_FIELDS } from "./user-fields.ts";

const HELP = `
A field is written name=value; the values of a list are separated by commas, and nothing after = means null:
  $ call-media-server user add --data ./archive mia email_id=mia@example.com allow_download=true "allow_all_*=true"
  $ call-media-server user set --data ./archive mia allow_all_campaigns=false allowed_campaigns=Billing,"Move of house"
A name that ends in * sets every field that begins so; fields that follow it override it.

Which calls a user sees is decided by the pairs allow_all_X and allowed_X for campaigns, skills, agents, groups, media
and secure01 to secure05. Each pair must let a call through: allow_all_X is true, or allowed_X has the value of the
call. A new user sees no call.

status is 1 active, 0 inactive, 2 deleted.

Fields:
  ${USER_FIELDS.join(", ").replace(/(.{1,76}), /g, "$1,\n  ")}`;

export function addUserCommands(program: Command): void {
  const user = program.command("user").description("add, list and change the users of an archive");
  addAddCommand(user);
  addSetCommand(user);
  addListCommand(user);
}

function addAddCommand(user: Command): void {
  user
    .command("add <name> [field=value...]")
    .description("add a user, to a new archive if there is none")
    .requiredOption("--data <dir>", "the folder of the archive")
    .addHelpText("after", HELP)
    .action(async (name: string, fields: string[], { data }: { data: string }) => {
      await using store = await createStore({ directory: data });
      const record = await changeUser(store, async () => {
        if ((await store.users.byName(name)) !== undefined)
          throw new UsageError(`there is a user ${name} already: use "user set"`);
        return { before: null, record: applyFields(createUser(name, await nextId(store)), fields) };
      });
      console.log(`Added ${record.username} as user ${record.id}.`);
      warnOfUnseen(record);
    });
}

function addSetCommand(user: Command): void {
  user
    .command("set <name> <field=value...>")
    .description("change fields of a user")
    .requiredOption("--data <dir>", "the folder of the archive")
    .addHelpText("after", HELP)
    .action(async (name: string, fields: string[], { data }: { data: string }) => {
      await using store = await openStore({ directory: data });
      const record = await changeUser(store, async () => {
        const before = await findUser(store, name);
        return { before, record: applyFields({ ...before, modified_date: toTimestamp() }, fields) };
      });
      console.log(`Changed ${name}.`);
      warnOfUnseen(record);
    });
}

function addListCommand(user: Command): void {
  user
    .command("list")
    .description("list the users of an archive")
    .requiredOption("--data <dir>", "the folder of the archive")
    .option("--json", "print every field of every user, one JSON object a line")
    .action(async ({ data, json }: { data: string; json?: true }) => {
      await using store = await openStore({ directory: data });
      const users = await store.users.list();
      console.log(json ? users.map((record) => JSON.stringify(record)).join("\n") : toTable(users));
    });
}

/** Throws `UsageError` when the archive has no such user. */
export async function findUser(store: CallStore, name: string): Promise<UserRecord> {
  const user = await store.users.byName(name);
  if (user === undefined)
    throw new UsageError(`there is no user ${name}: "user list" shows those there are`);
  return user;
}

/** Says of credentials whose user may not sign in that they are refused: the service itself does not say why (D14). */
export function warnOfInactive({ username, status }: UserRecord): void {
  if (status === ACTIVE) return;
  console.error(
    `${username} is ${STATUS_NAMES[status]}: this is refused until "user set ${username} status=1"`,
  );
}

function warnOfUnseen(user: UserRecord): void {
  const unseen = listUnseen(user);
  if (unseen.length === 0) return;
  console.error(
    `${user.username} sees no calls: nothing is allowed of ${unseen.join(", ")} ("allow_all_*=true" allows all)`,
  );
}

async function nextId(store: CallStore): Promise<number> {
  return Math.max(0, ...(await store.users.list()).map(({ id }) => id)) + 1;
}

const ACTIVE = 1;

const STATUS_NAMES: Readonly<Record<number, string>> = { 0: "inactive", 1: "active", 2: "deleted" };

function toTable(users: readonly UserRecord[]): string {
  const rows = users.map((user) => [
    String(user.id),
    toPrintable(user.username),
    STATUS_NAMES[user.status] ?? String(user.status),
    user.is_admin ? "administrator" : toPrintable(user.group),
    toPrintable(user.email_id),
  ]);
  const table = [["ID", "USERNAME", "STATUS", "GROUP", "EMAIL"], ...rows];
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
