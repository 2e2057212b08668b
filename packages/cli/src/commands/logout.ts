// `call-media logout`: removes what `login` saved.
import type { Command } from "commander";
import { removeProfile, toOwnName } from "../access/profiles.ts";
import { console } from "@call-media/terminal";
import { printJson } from "../terminal/output.ts";

const HELP = `
  $ call-media logout --profile production

The credentials stay valid until the operator of the archive revokes them.`;

interface LogoutFlags {
  readonly profile?: string;
  readonly json?: boolean;
}

export function configureLogout(command: Command): void {
  command
    .option("--profile <name>", "the profile to delete; if left out, CALL_MEDIA_PROFILE or default")
    .option("--json", "say what was deleted as { profile, file }")
    .addHelpText("after", HELP)
    .action(logout);
}

async function logout({ profile: given, json }: LogoutFlags): Promise<void> {
  const profile = toOwnName(given);
  const file = await removeProfile(profile);
  if (json) printJson({ profile, file });
  else console.info(`Profile ${profile} is forgotten.`);
}
