// Records of the interface that are not yet the archive's own format: all they lack is the word that says what they are.
import { fieldsOf } from "@call-media/api";
import { isObject } from "../../json.ts";
import { pick } from "../../head.ts";

const FIELDS = {
  call: new Set<string>(fieldsOf("MetadataRecord")),
  user: new Set<string>(
    (["UserBasicRecord", "UserAddressRecord", "UserSecurityRecord"] as const).flatMap((name) =>
      fieldsOf(name),
    ),
  ),
  flag: new Set<string>(fieldsOf("PublicFlagRecord")),
  chat: new Set<string>(fieldsOf("ChatMessageRecord")),
};

/** Where a service's answer, an array, or a line has its first record. */
const PLACES = ["data.*", "*", ""];

/** What to write, as the end of a sentence about the file; undefined where its first record is none of the interface. */
export function findMissingKind(json: unknown): string | undefined {
  const record = PLACES.map((place) => pick(json, place)).find(isObject);
  if (record === undefined) return undefined;
  const { kind: given, ...fields } = record;
  const names = Object.keys(fields);
  const kind = Object.entries(FIELDS).find(
    ([, known]) => names.length > 0 && names.every((name) => known.has(name)),
  )?.[0];
  if (kind === undefined) return undefined;
  const fault = given === undefined ? "lacks kind" : `has the kind ${JSON.stringify(given)}`;
  return `has the fields of a ${kind}, but its first record ${fault}: write each record on a line of its own, as {"kind":"${kind}", ...}`;
}
