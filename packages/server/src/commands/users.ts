// `call-media-server user`: who there is, and what they may do. A field is given as name=value.
import { document, fieldsOf, type SchemaObject } from "@call-media/api";
import { type CallStore, parseDatetime, type UserRecord } from "@call-media/store";
import { createStore, openStore } from "@call-media/store/sqlite";
import type { Command } from "commander";
import { UsageError } from "./usage-error.ts";

const SCHEMAS = ["UserBasicRecord", "UserAddressRecord", "UserSecurityRecord"] as const;

const HELP = `
A field is written name=value; a list with commas between its values, nothing after = for null:
  $ call-media-server user add --data ./archive mia email_id=mia@example.com allow_download=true allow_all_media=true
  $ call-media-server user set --data ./archive mia allowed_campaigns=Billing,"Move of house" status=1
The rights that decide what a user sees are the pairs allow_all_X and allowed_X for campaigns, skills, agents, groups,
media and secure01 to secure05; a new user has none of them. status is 1 active, 0 inactive, 2 deleted.
Fields: ${fieldsOf("UserBasicRecord").join(", ")}, ${fieldsOf("UserAddressRecord").join(", ")}, ${fieldsOf("UserSecurityRecord").join(", ")}`;

export function addUserCommands(program: Command): void {
  const user = program.command("user").description("add, list and change the users of an archive");
  user
    .command("add <name> [field=value...]")
    .description("add a user; a new archive is made when the folder has none")
    .requiredOption("--data <dir>", "the folder of the archive")
    .addHelpText("after", HELP)
    .action(async (name: string, fields: string[], { data }: { data: string }) => {
      await using store = await createStore({ directory: data });
      if ((await store.users.byName(name)) !== undefined)
        throw new UsageError(`there is a user ${name} already: use "user set"`);
      const record = applyFields(createUser(name, await nextId(store)), fields);
      await put(store, record);
      console.log(`Added ${record.username} as user ${record.id}.`);
    });
  user
    .command("set <name> <field=value...>")
    .description("change fields of a user")
    .requiredOption("--data <dir>", "the folder of the archive")
    .addHelpText("after", HELP)
    .action(async (name: string, fields: string[], { data }: { data: string }) => {
      await using store = await openStore({ directory: data });
      const modified = { ...(await findUser(store, name)), modified_date: toTimestamp() };
      await put(store, applyFields(modified, fields));
      console.log(`Changed ${name}.`);
    });
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

async function nextId(store: CallStore): Promise<number> {
  return Math.max(0, ...(await store.users.list()).map(({ id }) => id)) + 1;
}

async function put(store: CallStore, record: UserRecord): Promise<void> {
  await using session = await store.openImport();
  const [outcome] = await session.write([[{ kind: "user", record }]]);
  if (typeof outcome === "object") throw new UsageError(outcome.rejected);
}

/** An active user without rights; every field of the contract, empty as its type allows. */
function createUser(username: string, id: number): UserRecord {
  const empty = Object.fromEntries(
    [...eachField()].map(([field, schema]) => [field, toEmpty(schema)]),
  );
  return { ...(empty as UserRecord), id, username, status: 1, created_date: toTimestamp() }; // every field was just made
}

function* eachField(): Generator<[string, SchemaObject]> {
  for (const name of SCHEMAS)
    yield* Object.entries(document.components.schemas[name]?.properties ?? {});
}

function toTypes({ type }: SchemaObject): readonly (string | undefined)[] {
  return typeof type === "object" ? type : [type];
}

function toEmpty(schema: SchemaObject): unknown {
  const types = toTypes(schema);
  if (types.includes("null") || types.includes(undefined)) return null;
  const empty: Readonly<Record<string, unknown>> = {
    string: "",
    boolean: false,
    array: [],
    integer: 0,
  };
  return empty[types[0] ?? ""];
}

function applyFields(record: UserRecord, fields: readonly string[]): UserRecord {
  const schemas = new Map(eachField());
  const changes = fields.map((pair) => {
    const [name = "", ...value] = pair.split("=");
    const schema = schemas.get(name);
    if (value.length === 0) throw new UsageError(`"${pair}" is not written name=value`);
    if (schema === undefined || name === "id")
      throw new UsageError(`a user has no field "${name}" to set: --help lists them`);
    return [name, parseValue(name, value.join("="), schema)] as const;
  });
  return { ...record, ...Object.fromEntries(changes) };
}

function parseValue(name: string, text: string, schema: SchemaObject): unknown {
  const types = toTypes(schema);
  if (text === "" && (types.includes("null") || types.includes(undefined))) return null;
  if (types.includes("array"))
    return text === "" ? [] : text.split(",").map((value) => value.trim());
  if (types.includes("boolean")) return parseBoolean(name, text);
  if (types.includes("integer")) return parseInteger(name, text, schema);
  if (schema.format === "date-time" && !isTimestamp(text))
    throw new UsageError(`${name} must be a date and time with an offset, not "${text}"`);
  return text;
}

function parseBoolean(name: string, text: string): boolean {
  if (text === "true" || text === "false") return text === "true";
  throw new UsageError(`${name} must be true or false, not "${text}"`);
}

function parseInteger(
  name: string,
  text: string,
  { minimum = 0, maximum = 0 }: SchemaObject,
): number {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  throw new UsageError(`${name} must be an integer from ${minimum} to ${maximum}, not "${text}"`);
}

function isTimestamp(text: string): boolean {
  const parsed = parseDatetime(text, "UTC");
  return typeof parsed === "object" && parsed.hasOffset;
}

function toTimestamp(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, "+00:00");
}

const STATUS_NAMES: Readonly<Record<number, string>> = { 0: "inactive", 1: "active", 2: "deleted" };

function toTable(users: readonly UserRecord[]): string {
  const rows = users.map((user) => [
    String(user.id),
    user.username,
    STATUS_NAMES[user.status] ?? String(user.status),
    user.is_admin ? "administrator" : user.group,
    user.email_id,
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
