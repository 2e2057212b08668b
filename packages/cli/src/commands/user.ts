// `call-media user`: shows one user's profile, address and rights.
import type { Schema } from "@call-media/api";
import type { CallMediaClient } from "@call-media/client";
import type { Command } from "commander";
import { addServiceOptions, connect } from "../access/connect.ts";
import type { TargetFlags } from "../access/target.ts";
import { ACCESS_HELP } from "../command-line/access-help.ts";
import { console, createPaint, io, toUserId } from "@call-media/terminal";
import { CommandFailure } from "../failures/command-failure.ts";
import { createInterrupt } from "../interrupt.ts";
import { toFieldsText } from "../terminal/fields.ts";
import { printJson } from "../terminal/output.ts";

const HELP = `
  $ call-media user 1
  $ call-media user 1 --json > mia.json

The number is the id that call-media users shows. allow_all_X true means that the user may see everything of kind X;
otherwise allowed_X lists what. Administrators may ask about everybody, other users about themselves.
${ACCESS_HELP}`;

export function configureUser(command: Command): void {
  addServiceOptions(command.argument("<user_id>", "number of the user", toUserId))
    .option("--json", "as { profile, address, rights }, each as the service has it or null")
    .addHelpText("after", HELP)
    .action(user);
}

async function user(
  userId: number,
  { json, ...target }: TargetFlags & { readonly json?: boolean },
): Promise<void> {
  const { client } = await connect(target);
  const found = await lookUpUser(client, userId);
  const parts = Object.entries(found).filter(([, part]) => part !== null);
  if (parts.length === 0)
    throw new CommandFailure(`there is no user ${userId}, or you may not see that user`);
  if (json) return printJson(found);
  const paint = createPaint(io().stdout);
  const blocks = parts.map(
    ([name, part]) => `${paint("bold", name)}\n${toFieldsText(part, paint)}`,
  );
  console.log(blocks.join("\n\n"));
}

interface User {
  readonly profile: Schema<"UserBasicRecord"> | null;
  readonly address: Schema<"UserAddressRecord"> | null;
  readonly rights: Schema<"UserSecurityRecord"> | null;
}

async function lookUpUser(client: CallMediaClient, user_id: number): Promise<User> {
  const signal = createInterrupt();
  const all = { params: { query: { status: "all" } }, signal } as const;
  const one = { params: { query: { user_id } }, signal };
  const [profiles, addresses, rights] = await Promise.all([
    client.GET("/users/basic-info", all),
    client.GET("/users/address-info", one),
    client.GET("/users/security-info", one),
  ]);
  return {
    profile: profiles.data.data.find(({ id }) => id === user_id) ?? null,
    address: addresses.data.data[0] ?? null,
    rights: rights.data.data[0] ?? null,
  };
}
