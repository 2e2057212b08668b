// `call-media logout`: forgets what `login` kept.
import type { Command } from "commander";
import { DEFAULT_PROFILE, removeProfile } from "../access/profiles.ts";

const HELP = `
  $ call-media logout --profile production

The credentials stay valid until the operator of the archive revokes them.`;

export function configureLogout(command: Command): void {
  command
    .option("--profile <name>", "the profile to delete", DEFAULT_PROFILE)
    .addHelpText("after", HELP)
    .action(async ({ profile }: { readonly profile: string }) => {
      await removeProfile(profile);
      console.error(`Profile ${profile} is forgotten.`);
    });
}
