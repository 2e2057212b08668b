// `call-media login`: keeps an address and credentials, once they have been tried.
import type { Command } from "commander";
import { ACCESS_HELP } from "../access-help.ts";
import { addServiceOptions, createConnection } from "../connect.ts";
import { readDocumentFile } from "../document-file.ts";
import { createInterrupt } from "../interrupt.ts";
import { checkProfileName, DEFAULT_PROFILE, saveProfile } from "../profiles.ts";
import { readAccess } from "../prompt.ts";
import { parseBaseUrl, parseService, type TargetFlags } from "../target.ts";
import { UsageError } from "../usage-error.ts";

const HELP = `
Asks for secretID and secretKey, or an API key, without showing them, and tries them at once; what the service refuses is
not kept. In a script they come by standard input: an API key, or secretID and secretKey on a line each.
  $ call-media login --base-url https://archive.example.com
  $ call-media login --base-url https://archive.example.com --profile production < key.txt

What probe found out of the service can be kept with it, and then searches ask for less and are surer:
  $ call-media probe --profile-out service.json
  $ call-media login --base-url https://archive.example.com --service service.json < key.txt

Kept in the settings folder of the platform, readable by you alone. The name "default" is what other commands use when
they are given no --profile.
${ACCESS_HELP}`;

interface LoginFlags extends TargetFlags {
  readonly service?: string;
}

export function configureLogin(command: Command): void {
  addServiceOptions(command)
    .option("--service <file>", "what probe --profile-out wrote, to be kept with it")
    .addHelpText("after", HELP)
    .action(login);
}

async function login(flags: LoginFlags): Promise<void> {
  const name = checkProfileName(flags.profile ?? DEFAULT_PROFILE);
  const address = flags.baseUrl ?? process.env["CALL_MEDIA_BASE_URL"];
  if (!address) throw new UsageError("--base-url is missing: the address of the service");
  const baseUrl = parseBaseUrl(address);
  const service =
    flags.service === undefined
      ? undefined
      : parseService(await readDocumentFile(flags.service), flags.service);
  const access = await readAccess();
  const kept = { baseUrl, ...access, ...(service && { service }) };
  const { client } = createConnection({
    target: { baseUrl, ...access },
    hints: {},
    ...(service && { service }),
  });
  // What every user may ask for (D22).
  await client.GET("/flags/public", { signal: createInterrupt() });
  const file = await saveProfile(name, kept);
  console.error(`${baseUrl} lets you in. Kept as profile ${name} in ${file}`);
}
