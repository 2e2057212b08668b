// `call-media whoami`: shows the service and the user of the credentials, and whether the service accepts them.
import { isCallMediaError } from "@call-media/client";
import type { Command } from "commander";
import { addServiceOptions, connect } from "../access/connect.ts";
import type { TargetFlags } from "../access/target.ts";
import { findCaller, type Told } from "../access/who.ts";
import { ACCESS_HELP } from "../command-line/access-help.ts";
import { CommandFailure } from "../failures/command-failure.ts";
import { toSentence } from "../failures/failure.ts";
import { createInterrupt } from "../interrupt.ts";
import { console, toPrintable } from "@call-media/terminal";
import { printJson } from "../terminal/output.ts";

const HELP = `
  $ call-media whoami
  $ call-media whoami --profile production --json
${ACCESS_HELP}`;

export function configureWhoami(command: Command): void {
  addServiceOptions(command)
    .option("--json", "as { baseUrl, by, from, user, users }")
    .addHelpText("after", HELP)
    .action(whoami);
}

async function whoami(flags: TargetFlags & { readonly json?: boolean }): Promise<void> {
  const { client, baseUrl, by, from } = await connect(flags);
  const signal = createInterrupt();
  // Printed before the request: a rejected user needs to know which credentials were used.
  if (!flags.json) console.log(`Service  ${baseUrl}\nBy       ${by}, from ${from}`);
  await client.GET("/flags/public", { signal }).catch((error: unknown) => {
    // The general advice would be to run this command.
    throw isCallMediaError(error, "AuthenticationError")
      ? new CommandFailure(
          toSentence(error, `the ${by} is from ${from}: call-media login saves others`),
        )
      : error;
  });
  const { user = null, users } = await findCaller(client, signal);
  if (flags.json) return printJson({ baseUrl, by, from, user: user?.username ?? null, users });
  console.log(`User     ${toPrintable(toUserWords({ user: user ?? undefined, users }))}`);
}

const UNNAMED = "let in; the service does not say who";

function toUserWords({ user, users }: Told): string {
  if (users.length > 1 && user === undefined)
    return `one who may list all ${users.length} active users; the service does not say which`;
  if (user === undefined) return UNNAMED;
  const { username, email_id: email, group } = user;
  // Some services have null there, contrary to the contract.
  if (!username) return email || UNNAMED;
  return `${username}${email ? ` (${email})` : ""}${group ? `, group ${group}` : ""}`;
}
