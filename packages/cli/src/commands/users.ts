// `call-media users`: lists the users of the service.
import { routes } from "@call-media/api";
import { type Command, Option } from "commander";
import { addServiceOptions, connect } from "../access/connect.ts";
import type { TargetFlags } from "../access/target.ts";
import { ACCESS_HELP } from "../command-line/access-help.ts";
import { createInterrupt } from "../interrupt.ts";
import { console, printTable } from "@call-media/terminal";
import { printJson } from "../terminal/output.ts";

const HELP = `
  $ call-media users
  $ call-media users --status all --json > users.json

Administrators see all users, other users see themselves. call-media user shows what one of them may see and do.
${ACCESS_HELP}`;

const COLUMNS = [
  "id",
  "username",
  "email_id",
  "first_name",
  "last_name",
  "group",
  "status",
] as const;

type Status = "active" | "inactive" | "deleted" | "all";

interface UsersFlags extends TargetFlags {
  readonly status: Status;
  readonly json?: boolean;
}

export function configureUsers(command: Command): void {
  addServiceOptions(command)
    .addOption(
      new Option("--status <status>", "of which status").choices(listStatuses()).default("active"),
    )
    .option("--json", "as a list of records, as the service has them")
    .addHelpText("after", HELP)
    .action(users);
}

async function users({ status, json, ...target }: UsersFlags): Promise<void> {
  const { client } = await connect(target);
  const init = { params: { query: { status } }, signal: createInterrupt() };
  const { data: found } = (await client.GET("/users/basic-info", init)).data;
  if (json) return printJson(found);
  if (found.length === 0) console.info("No such user, or none that you may see.");
  else printTable(found, COLUMNS, ["id", "username"]);
}

function listStatuses(): string[] {
  const route = routes.find(({ operationId }) => operationId === "listUsers");
  const status = route?.parameters.find(({ name }) => name === "status");
  return (status?.schema?.enum ?? []).map(String);
}
