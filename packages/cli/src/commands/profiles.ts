// `call-media profiles`: lists what `login` kept, without the secrets.
import type { Command } from "commander";
import { readProfile } from "../access/profile-file.ts";
import { listProfiles, toProfileFile } from "../access/profiles.ts";
import { UsageError } from "../failures/usage-error.ts";
import { console } from "../io.ts";
import { printJson } from "../terminal/output.ts";

const HELP = `
  $ call-media profiles
  $ call-media whoami --profile production`;

export function configureProfiles(command: Command): void {
  command
    .option("--json", "as a list of { name, baseUrl, fault }")
    .addHelpText("after", HELP)
    .action(list);
}

async function list({ json }: { readonly json?: boolean }): Promise<void> {
  const profiles = await Promise.all((await listProfiles()).map(describe));
  if (json) return printJson(profiles);
  if (profiles.length === 0)
    console.info("No profile is kept: call-media login --base-url ... makes one.");
  const width = Math.max(...profiles.map(({ name }) => name.length));
  for (const { name, baseUrl, fault } of profiles)
    console.log(`${name.padEnd(width)}  ${baseUrl ?? fault ?? NO_ADDRESS}`);
}

/** As `probe --profile-out` writes one. */
const NO_ADDRESS = "(no address: --base-url names the service)";

interface Listed {
  readonly name: string;
  readonly baseUrl?: string | undefined;
  /** Why it cannot be used. */
  readonly fault?: string;
}

async function describe(name: string): Promise<Listed> {
  try {
    const { baseUrl } = await readProfile(toProfileFile(name));
    return { name, baseUrl };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { name, fault: error.message };
  }
}
