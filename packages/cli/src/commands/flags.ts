// `call-media flags`: lists the flags that calls can be marked with.
import type { Schema } from "@call-media/api";
import type { CallMediaClient } from "@call-media/client";
import type { Command } from "commander";
import { addServiceOptions, connect } from "../access/connect.ts";
import type { TargetFlags } from "../access/target.ts";
import { ACCESS_HELP } from "../command-line/access-help.ts";
import { console, printTable, toUserId } from "@call-media/terminal";
import { createInterrupt } from "../interrupt.ts";
import { printJson } from "../terminal/output.ts";

const HELP = `
  $ call-media flags
  $ call-media flags --user 1 --json

Without --user the public flags are listed. call-media users shows the numbers of users.
${ACCESS_HELP}`;

type Flag = Schema<"PublicFlagRecord"> | Schema<"PrivateFlagRecord">;

const COLUMNS = ["Id", "Name", "Type", "DateCreated", "DateModified"] as const;

interface FlagsFlags extends TargetFlags {
  readonly user?: number;
  readonly json?: boolean;
}

export function configureFlags(command: Command): void {
  addServiceOptions(command)
    .option("--user <user_id>", "the private flags of this user", toUserId)
    .option("--json", "as a list of records, as the service has them")
    .addHelpText("after", HELP)
    .action(flags);
}

async function flags({ user, json, ...target }: FlagsFlags): Promise<void> {
  const found = await listFlags((await connect(target)).client, user);
  if (json) return printJson(found);
  if (found.length === 0) console.info("No flag, or none that you may see.");
  else printTable(found, COLUMNS, ["Id", "Name"]);
}

async function listFlags(client: CallMediaClient, user_id?: number): Promise<readonly Flag[]> {
  const signal = createInterrupt();
  if (user_id === undefined) return (await client.GET("/flags/public", { signal })).data.data;
  const init = { params: { query: { user_id } }, signal };
  return (await client.GET("/flags/private", init)).data.data;
}
