// Reads a profile file, written by login or by a person.
import type { ServiceProfile } from "@call-media/api";
import type { Credentials, Hints, Target } from "@call-media/conformance";
import { UsageError } from "@call-media/terminal";
import {
  isReadableByOthers,
  type Mapping,
  parseMapping,
  parseText,
  readDocumentFile,
} from "../files/document-file.ts";

/** Every field is optional. */
export type Profile = Partial<Target> & {
  readonly hints?: Hints;
  /** The service's behaviour where the interface is silent. */
  readonly service?: Partial<ServiceProfile>;
};

const PROFILE_FIELDS = [
  "baseUrl",
  "credentials",
  "restricted",
  "apiKey",
  "expiredToken",
  "examples",
  "service",
];
const SECRET_FIELDS = ["credentials", "restricted", "apiKey", "expiredToken"];

/** A profile has the fields of the output of `call-media-server demo --json`, all optional, plus `service`. */
export async function readProfile(file: string): Promise<Profile> {
  const profile = parseMapping(await readDocumentFile(file), file, PROFILE_FIELDS);
  if (SECRET_FIELDS.some((field) => field in profile) && (await isReadableByOthers(file)))
    throw new UsageError(`${file} holds secrets and others may read it: chmod 600 ${file}`);
  const credentials = parseCredentials(profile, "credentials", file);
  const restricted = parseCredentials(profile, "restricted", file);
  const [baseUrl, apiKey, expiredToken] = ["baseUrl", "apiKey", "expiredToken"].map((field) =>
    parseText(profile, field, file),
  );
  return {
    ...(baseUrl && { baseUrl }),
    ...(credentials && { credentials }),
    ...(restricted && { restricted }),
    ...(apiKey && { apiKey }),
    ...(expiredToken && { expiredToken }),
    hints: parseExamples(profile, file),
    ...(profile["service"] !== undefined && {
      service: parseService(profile["service"], `${file}: service`),
    }),
  };
}

/** Parses the output of `probe --profile-out`. The client checks the values that it uses. */
export function parseService(value: unknown, where: string): Partial<ServiceProfile> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new UsageError(`${where} must be an object`);
  const { observations: _, ...profile }: { readonly observations?: unknown } = value;
  return profile;
}

function parseCredentials(profile: Mapping, field: string, file: string): Credentials | undefined {
  if (profile[field] === undefined) return undefined;
  const where = `${file}: ${field}`;
  const pair = parseMapping(profile[field], where, ["secretID", "secretKey"]);
  const [secretID, secretKey] = [
    parseText(pair, "secretID", where),
    parseText(pair, "secretKey", where),
  ];
  if (secretID === undefined || secretKey === undefined)
    throw new UsageError(`${where} needs both secretID and secretKey`);
  return { secretID, secretKey };
}

function parseExamples(profile: Mapping, file: string): Hints {
  const where = `${file}: examples`;
  const fields = ["call_id", "ref_id", "chat_call_id"];
  const examples = parseMapping(profile["examples"] ?? {}, where, fields);
  const ids = fields.map((field) => [`${field}s`, parseText(examples, field, where)] as const);
  return Object.fromEntries(
    ids.flatMap(([field, id]) => (id === undefined ? [] : [[field, [id]]])),
  );
}
