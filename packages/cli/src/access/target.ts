// Which service is asked and who asks: from --base-url, the environment and a profile, never from other arguments.
import type { ServiceProfile } from "@call-media/api";
import type { Credentials, Hints, Target } from "@call-media/conformance";
import { UsageError } from "../failures/usage-error.ts";
import { parseBaseUrl } from "./base-url.ts";
import { type Profile, readProfile } from "./profile-file.ts";
import { DEFAULT_PROFILE, findDefaultFile, findProfileFile } from "./profiles.ts";

export interface TargetFlags {
  readonly baseUrl?: string;
  readonly profile?: string;
}

export interface ParsedTarget {
  readonly target: Target;
  readonly hints: Hints;
  /** How the service answers what the interface leaves open. */
  readonly service?: Partial<ServiceProfile>;
}

interface FoundTarget extends ParsedTarget {
  /** Where the credentials come from, in words: "profile production". */
  readonly from: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * --base-url goes before a profile that is named, that before the environment, and that before the profile `default`.
 *
 * @throws UsageError naming what is missing or wrong, never a secret.
 */
export async function readTarget(
  flags: TargetFlags,
  environment: Environment,
): Promise<FoundTarget> {
  const ofEnvironment = readEnvironment(environment);
  const profile =
    flags.profile === undefined
      ? await readDefaultProfile({ ...ofEnvironment, ...dropUnset(flags) })
      : await readProfile(findProfileFile(flags.profile));
  const isOfProfile = hasSecrets(profile);
  // Whoever names a profile means its user, and the secrets of another are not for its address.
  const { credentials: _id, apiKey: _key, ...others } = ofEnvironment;
  const beside = isOfProfile ? others : ofEnvironment;
  const { hints = {}, service, ...given } = { ...beside, ...profile, ...dropUnset(flags) };
  const { baseUrl, credentials, apiKey } = given;
  if (baseUrl === undefined)
    throw new UsageError(
      "no service is named: call-media login keeps its address; or set CALL_MEDIA_BASE_URL, or give --base-url",
    );
  if (credentials === undefined && apiKey === undefined)
    throw new UsageError(
      "no credentials: call-media login keeps them; or set CALL_MEDIA_SECRET_ID and CALL_MEDIA_SECRET_KEY, or CALL_MEDIA_API_KEY, or give --profile",
    );
  const target = { ...given, baseUrl: parseBaseUrl(baseUrl) };
  const from = isOfProfile ? `profile ${flags.profile ?? DEFAULT_PROFILE}` : "the environment";
  return { target, hints, from, ...(service && { service }) };
}

const dropUnset = ({ baseUrl }: TargetFlags) => (baseUrl === undefined ? {} : { baseUrl });

const hasSecrets = ({ credentials, apiKey }: Partial<Target>) =>
  credentials !== undefined || apiKey !== undefined;

/** Its secrets are for its own address: it is left alone where another address, or somebody else, is given. */
async function readDefaultProfile(given: Partial<Target>): Promise<Profile> {
  const file = findDefaultFile();
  if (hasSecrets(given) || file === undefined) return {};
  const profile = await readProfile(file);
  const { baseUrl = "" } = profile;
  const isOther = given.baseUrl !== undefined && parseBaseUrl(given.baseUrl) !== baseUrl;
  return isOther ? {} : profile;
}

function readEnvironment(environment: Environment): Partial<Target> {
  // An empty variable is how a CI service passes on a secret that is not set.
  const read = (name: string) => environment[name] || undefined;
  const apiKey = read("CALL_MEDIA_API_KEY");
  const baseUrl = read("CALL_MEDIA_BASE_URL");
  const expiredToken = read("CALL_MEDIA_EXPIRED_TOKEN");
  const readPair = (id: string, key: string): Credentials | undefined => {
    const [secretID, secretKey] = [read(id), read(key)];
    if ((secretID === undefined) !== (secretKey === undefined))
      throw new UsageError(`${id} and ${key} go together: one of them is not set`);
    return secretID === undefined || secretKey === undefined ? undefined : { secretID, secretKey };
  };
  const credentials = readPair("CALL_MEDIA_SECRET_ID", "CALL_MEDIA_SECRET_KEY");
  const restricted = readPair(
    "CALL_MEDIA_RESTRICTED_SECRET_ID",
    "CALL_MEDIA_RESTRICTED_SECRET_KEY",
  );
  return {
    ...(baseUrl && { baseUrl }),
    ...(credentials && { credentials }),
    ...(restricted && { restricted }),
    ...(apiKey && { apiKey }),
    ...(expiredToken && { expiredToken }),
  };
}
