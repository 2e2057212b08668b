// `call-media profiles`: lists what `login` saved, without the secrets, and shows the profile in use.
import type { Command } from "commander";
import { readProfile } from "../access/profile-file.ts";
import { findUsed, listProfiles, toProfileFile, useProfile } from "../access/profiles.ts";
import { console, UsageError } from "@call-media/terminal";
import { printJson } from "../terminal/output.ts";

const HELP = `
  $ call-media profiles
  $ call-media profiles use production
  $ call-media whoami --profile test
  $ CALL_MEDIA_PROFILE=test call-media search --last 7d

The profile with * is used by every command that names none. For one shell, export CALL_MEDIA_PROFILE.`;

export function configureProfiles(command: Command): void {
  command
    .option("--json", "as a list of { name, baseUrl, isUsed, fault }")
    .option("--names", "the names alone, one on each line")
    .addHelpText("after", HELP)
    .action(list);
  command
    .command("use")
    .argument("<name>", "the profile that commands are to use from now on")
    .description("use a profile where none is named")
    .action(use);
}

async function use(name: string): Promise<void> {
  await useProfile(name);
  console.info(`Commands use the profile ${name} from now on.`);
}

interface ProfilesFlags {
  readonly json?: boolean;
  readonly names?: boolean;
}

async function list({ json, names }: ProfilesFlags): Promise<void> {
  if (names) return console.log((await listProfiles()).join("\n"));
  const profiles = await Promise.all((await listProfiles()).map(describe));
  if (json) return printJson(profiles);
  if (profiles.length === 0)
    console.info("No profile is kept: call-media login --base-url ... makes one.");
  const width = Math.max(...profiles.map(({ name }) => name.length));
  for (const { name, baseUrl, isUsed, fault } of profiles)
    console.log(`${isUsed ? "*" : " "} ${name.padEnd(width)}  ${baseUrl ?? fault ?? NO_ADDRESS}`);
}

/** For a profile written by `probe --profile-out`. */
const NO_ADDRESS = "(no address: --base-url names the service)";

interface Listed {
  readonly name: string;
  readonly baseUrl?: string | undefined;
  readonly isUsed: boolean;
  /** Why it cannot be used. */
  readonly fault?: string;
}

async function describe(name: string): Promise<Listed> {
  const isUsed = findUsed() === name;
  try {
    const { baseUrl } = await readProfile(toProfileFile(name));
    return { name, baseUrl, isUsed };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { name, isUsed, fault: error.message };
  }
}
