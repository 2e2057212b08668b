// `call-media logout`: forgets what `login` kept.
import type { Command } from "commander";
import { DEFAULT_PROFILE, removeProfile } from "../profiles.ts";

const HELP = `
  $ call-media logout --profile production

The credentials stay valid: whoever runs the archive can revoke them.`;

export function configureLogout(command: Command): void {
  command
    .option("--profile <name>", "what login kept under that name", DEFAULT_PROFILE)
    .addHelpText("after", HELP)
    .action(async ({ profile }: { readonly profile: string }) => {
      await removeProfile(profile);
      console.error(`Profile ${profile} is forgotten.`);
    });
}
