// `call-media login`: saves a URL and credentials after testing them.
import { type CallMediaClient, isCallMediaError } from "@call-media/client";
import type { Command } from "commander";
import { parseBaseUrl } from "../access/base-url.ts";
import { BASE_URL_OPTION, createConnection } from "../access/connect.ts";
import { parseService } from "../access/profile-file.ts";
import { checkProfileName, findUsed, saveProfile, toOwnName } from "../access/profiles.ts";
import { readAccess } from "../access/prompt.ts";
import type { TargetFlags } from "../access/target.ts";
import { CommandFailure } from "../failures/command-failure.ts";
import { console, io, UsageError } from "@call-media/terminal";
import { readDocumentFile } from "../files/document-file.ts";
import { createInterrupt } from "../interrupt.ts";
import { printJson } from "../terminal/output.ts";

const HELP = `
login asks for secretID and secretKey, or for an API key, without showing them, tries them at once, and saves them if
the service accepts them. A script gives them on standard input: an API key, or secretID and secretKey on a line each.
  $ call-media login --base-url https://archive.example.com
  $ call-media login --base-url https://archive.example.com --profile production < key.txt

With what probe found out about the service, searches send fewer requests:
  $ call-media probe --profile-out service.json
  $ call-media login --base-url https://archive.example.com --service service.json < key.txt

The profile is saved in your settings folder, readable by you alone. Commands without --profile use the one that
CALL_MEDIA_PROFILE names, else the one that call-media profiles use has named, else "default".

Secrets are never read from the command line, where others could see them, and login does not save those in the
environment. The address may be there, as CALL_MEDIA_BASE_URL.`;

interface LoginFlags extends Pick<TargetFlags, "baseUrl"> {
  readonly profile?: string;
  readonly service?: string;
  readonly json?: boolean;
}

export function configureLogin(command: Command): void {
  command
    .option(...BASE_URL_OPTION)
    .option(
      "--profile <name>",
      "the name to save them under; if left out, CALL_MEDIA_PROFILE or default",
    )
    .option("--service <file>", "a file written by probe --profile-out, to save with it")
    .option("--json", "say what was saved as { profile, file, baseUrl, by }")
    .addHelpText("after", HELP)
    .action(login);
}

async function login(flags: LoginFlags): Promise<void> {
  const name = checkProfileName(toOwnName(flags.profile));
  const address = flags.baseUrl ?? io().env["CALL_MEDIA_BASE_URL"];
  if (!address)
    throw new UsageError(
      "--base-url is missing: the address of the service, such as https://archive.example.com",
    );
  const baseUrl = parseBaseUrl(address);
  const service =
    flags.service === undefined
      ? undefined
      : parseService(await readDocumentFile(flags.service), flags.service);
  const access = await readAccess();
  const kept = { baseUrl, ...access, ...(service && { service }) };
  const { client, by } = createConnection({
    target: { baseUrl, ...access },
    ...(service && { service }),
  });
  await tryAccess(client, baseUrl);
  const file = await saveProfile(name, kept);
  if (flags.json) printJson({ profile: name, file, baseUrl, by });
  else {
    const use = `; call-media profiles use ${name} makes it the one that commands use`;
    const isUsed = findUsed() === name;
    console.info(`${baseUrl} lets you in. Kept as profile ${name} in ${file}${isUsed ? "" : use}`);
  }
}

/** Uses an operation that every user may call (D22). */
async function tryAccess(client: CallMediaClient, baseUrl: string): Promise<void> {
  try {
    await client.GET("/flags/public", { signal: createInterrupt() });
  } catch (error) {
    const fault = findRefusal(error);
    if (fault === undefined) throw error;
    throw new CommandFailure(`${baseUrl} ${fault}; nothing was kept`, { cause: error });
  }
}

function findRefusal(error: unknown): string | undefined {
  if (isCallMediaError(error, "AuthenticationError"))
    return "does not take these credentials (401): check them, or ask whoever runs the archive for others";
  if (isCallMediaError(error, "NotFoundError"))
    return "answers, but not as a Call Media Retrieval Service (404): check --base-url";
  return undefined;
}
