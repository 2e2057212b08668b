// Finds service and credentials in --base-url, the environment and a profile, never in other arguments.
import type { ServiceProfile } from "@call-media/api";
import type { Credentials, Hints, Target } from "@call-media/conformance";
import { UsageError } from "@call-media/terminal";
import { parseBaseUrl } from "./base-url.ts";
import { type Profile, readProfile } from "./profile-file.ts";
import { findProfileFile, findUsed, findUsedFile } from "./profiles.ts";

export interface TargetFlags {
  readonly baseUrl?: string;
  readonly profile?: string;
}

export interface ParsedTarget {
  readonly target: Target;
  readonly hints: Hints;
  /** The service's behaviour where the interface is silent. */
  readonly service?: Partial<ServiceProfile>;
}

interface FoundTarget extends ParsedTarget {
  /** The source of the credentials, as text: "profile production". */
  readonly from: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Precedence: --base-url, a named profile, the environment, the profile in use.
 *
 * @throws UsageError naming what is missing or wrong, never a secret.
 */
export async function readTarget(
  flags: TargetFlags,
  environment: Environment,
): Promise<FoundTarget> {
  const name = flags.profile ?? readVariable(environment, "CALL_MEDIA_PROFILE");
  const named = name === undefined ? {} : await readProfile(await findProfileFile(name));
  if (flags.profile === undefined) checkOwnAddress(named, flags);
  // A named profile means its user. Secrets of the environment must not go to its address.
  const beside = {
    ...(hasSecrets(named) ? {} : readAccess(environment)),
    ...readEnvironment(environment),
  };
  const profile =
    name === undefined ? await readUsedProfile({ ...beside, ...dropUnset(flags) }) : named;
  const isOfProfile = hasSecrets(profile);
  const { hints = {}, service, ...given } = { ...beside, ...profile, ...dropUnset(flags) };
  const { baseUrl, credentials, apiKey } = given;
  if (baseUrl === undefined) throw new UsageError(hasSecrets(given) ? NO_ADDRESS : NO_SERVICE);
  if (credentials === undefined && apiKey === undefined)
    throw new UsageError(
      "no credentials: run call-media login, set CALL_MEDIA_SECRET_ID and CALL_MEDIA_SECRET_KEY, or CALL_MEDIA_API_KEY, or pass --profile",
    );
  const target = { ...given, baseUrl: parseBaseUrl(baseUrl) };
  const from = isOfProfile ? `profile ${name ?? findUsed()}` : "the environment";
  return { target, hints, from, ...(service && { service }) };
}

const NO_SERVICE =
  "no service address: run call-media login, set CALL_MEDIA_BASE_URL or pass --base-url";

const NO_ADDRESS =
  "no service address for these credentials: set CALL_MEDIA_BASE_URL or pass --base-url";

const dropUnset = ({ baseUrl }: TargetFlags) => (baseUrl === undefined ? {} : { baseUrl });

const hasSecrets = ({ credentials, apiKey }: Partial<Target>) =>
  credentials !== undefined || apiKey !== undefined;

/** The variable may have been set long ago, for another service. */
function checkOwnAddress(named: Profile, { baseUrl }: TargetFlags): void {
  if (baseUrl === undefined || named.baseUrl === undefined || !hasSecrets(named)) return;
  if (parseBaseUrl(baseUrl) === named.baseUrl) return;
  throw new UsageError(
    `CALL_MEDIA_PROFILE names a profile of ${named.baseUrl}, and its secrets are not sent to ${baseUrl}: pass --profile, or unset the variable`,
  );
}

/** Empty if another URL or other credentials are given: secrets are sent only to their own URL. */
async function readUsedProfile(given: Partial<Target>): Promise<Profile> {
  const file = findUsedFile();
  if (hasSecrets(given) || file === undefined) return {};
  const profile = await readProfile(file);
  const { baseUrl = "" } = profile;
  const isOther = given.baseUrl !== undefined && parseBaseUrl(given.baseUrl) !== baseUrl;
  return isOther ? {} : profile;
}

function readAccess(environment: Environment): Pick<Partial<Target>, "credentials" | "apiKey"> {
  const apiKey = readVariable(environment, "CALL_MEDIA_API_KEY");
  const credentials = readPair(environment, "CALL_MEDIA_SECRET");
  return { ...(credentials && { credentials }), ...(apiKey && { apiKey }) };
}

function readEnvironment(environment: Environment): Partial<Target> {
  const baseUrl = readVariable(environment, "CALL_MEDIA_BASE_URL");
  const expiredToken = readVariable(environment, "CALL_MEDIA_EXPIRED_TOKEN");
  const restricted = readPair(environment, "CALL_MEDIA_RESTRICTED_SECRET");
  return {
    ...(baseUrl && { baseUrl }),
    ...(restricted && { restricted }),
    ...(expiredToken && { expiredToken }),
  };
}

/** True if the environment has a second caller. */
export const hasRestricted = (environment: Environment): boolean =>
  readVariable(environment, "CALL_MEDIA_RESTRICTED_SECRET_ID") !== undefined;

/** CI services pass an unset secret as an empty variable. */
const readVariable = (environment: Environment, name: string) => environment[name] || undefined;

function readPair(environment: Environment, name: string): Credentials | undefined {
  const [id, key] = [`${name}_ID`, `${name}_KEY`];
  const secretID = readVariable(environment, id);
  const secretKey = readVariable(environment, key);
  if ((secretID === undefined) !== (secretKey === undefined))
    throw new UsageError(`${id} and ${key} go together: one of them is not set`);
  return secretID === undefined || secretKey === undefined ? undefined : { secretID, secretKey };
}
