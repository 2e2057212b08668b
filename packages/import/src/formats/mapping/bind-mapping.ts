// Applies a mapping: turns records of a file into entries of the archive's own format.
import { ImportError } from "../../import-error.ts";
import { isLink, toLinkName } from "../../link.ts";
import type { MediaFolder } from "../../media-folder.ts";
import type { Place } from "../../source-row.ts";
import type { Entry } from "../format.ts";
import { bindRules, createElements, type Watch } from "./bind-rule.ts";
import type { Mapping } from "./mapping.ts";
import { createNames, type Read, type Scope } from "./names.ts";
import type { Rule } from "./rule.ts";
import type { Find } from "./template.ts";

/** The entry of a record; throws `RowFault`, naming the field, for a value that cannot be converted. */
export type ToEntry<R> = (record: R, place: Place) => Entry;

interface BindOptions {
  /** IANA name: how datetimes without an offset are read. */
  readonly timeZone: string;
  readonly watch?: Watch | undefined;
}

/**
 * Binds a mapping that is the whole source. If it does not mention recordings, a call that is imported again keeps its own.
 * Throws `ImportError`, naming the key in the mapping, for a name that `find` does not know.
 */
export function bindWhole<R>(mapping: Mapping, find: Find<R>, options: BindOptions): ToEntry<R> {
  const toEntry = bindMapping(mapping, find, options);
  const { kind, media, fields, identity } = mapping;
  if (identity.length > 0 && !fields.some(({ field }) => field === "call_id"))
    throw new ImportError(
      "identity: it tells records of one call_id apart, and fields has no call_id",
    );
  const isSilent = media.length === 0 && !fields.some(({ field }) => field === "recordings");
  if (kind !== "call" || !isSilent) return toEntry;
  return (record, place) => ({ ...toEntry(record, place), keeps_recordings: true });
}

/** Binds a mapping that adds to a format; throws like `bindWhole`. */
export function bindMapping<R>(
  mapping: Mapping,
  find: Find<R>,
  { timeZone, watch }: BindOptions,
): ToEntry<R> {
  const { kind, lets } = mapping;
  const bound = new Map<string, Read<R>>();
  const begun = new Set<string>();
  const bindLet = (name: string): Read<R> => {
    const known = bound.get(name);
    if (known !== undefined) return known;
    if (begun.has(name)) throw new ImportError(`let.${name}: needs itself`);
    begun.add(name);
    const read = bindRules(lets.get(name) ?? [], options);
    const readOnce: Read<R> = (scope) => {
      if (!scope.lets.has(name)) scope.lets.set(name, read(scope));
      return scope.lets.get(name);
    };
    bound.set(name, readOnce);
    return readOnce;
  };
  const options = { find: createNames(mapping, find, bindLet), watch, timeZone };
  for (const name of lets.keys()) bindLet(name);
  const fields = mapping.fields.map(({ field, rules }) => ({
    name: toName(mapping, field),
    read: bindRules(rules, options),
  }));
  const media = mapping.media.map((rules) => bindMedia(rules, options));
  const identity = mapping.identity.map((rules) => bindRules(rules, options));

  return (record, place) => {
    const scope: Scope<R> = { record, place, lets: new Map() };
    const entry: Entry = { kind };
    for (const { name, read } of fields) {
      const result = read(scope);
      if (result !== undefined) entry[name] = toField(name, result.value);
    }
    const files = media.flatMap((read) => read(scope));
    if (files.length > 0) entry["media"] = files;
    const told = identity.map((read) => read(scope)?.value ?? null);
    if (told.some((value) => value !== null)) entry["identity"] = told.map(toIdentity);
    return entry;
  };
}

const toIdentity = (value: string | number | null) => (value === null ? null : String(value));

// `media` of an entry is the list of recordings.
const toName = ({ kind }: Mapping, field: string): string =>
  kind === "call" && field === "media" ? "media_field" : field;

const toField = (name: string, value: string | number) =>
  name === "recordings" && typeof value === "string" && isLink(value) ? toLinkName(value) : value;

interface NamedFile {
  readonly file: string;
  readonly start?: string;
}

/** The recordings that one rule names: with `of` and `"row": "all"` there may be several, each once. */
function bindMedia<R>(
  rules: readonly Rule[],
  options: Parameters<typeof bindRules<R>>[1],
): (scope: Scope<R>) => readonly NamedFile[] {
  const alternatives = rules.map((rule) => {
    const read = bindRules([{ ...rule, of: undefined }], options);
    const readStart = bindRules(rule.start, options);
    const readOne = (scope: Scope<R>): NamedFile[] => {
      const file = read(scope)?.value;
      const start = file === undefined ? undefined : readStart(scope)?.value;
      if (file === undefined) return [];
      return [{ file: String(file), ...(start !== undefined && { start: String(start) }) }];
    };
    if (rule.of === undefined) return readOne;
    const toScopes = createElements<R>(rule);
    return (scope: Scope<R>) => {
      const found = toScopes(scope).flatMap(readOne);
      if (rule.row === "all") return found;
      return found.slice(...(rule.row === "last" ? [-1] : [0, 1]));
    };
  });
  return (scope) => {
    for (const read of alternatives) {
      const files = read(scope);
      if (files.length > 0) return files;
    }
    return [];
  };
}

/**
 * The entry with the recordings where they lie: at their path, else anywhere in the folder by their name, with any extension. A link
 * stands for the last part of its path. `isOptional` if a missing file must not reject the call.
 */
export async function locateMedia(
  entry: Entry,
  folder: MediaFolder,
  isOptional: boolean,
): Promise<Entry> {
  const { media } = entry;
  if (!Array.isArray(media)) return entry;
  const located: object[] = [];
  const seen = new Set<string>();
  for (const { file, ...others } of media as readonly NamedFile[]) {
    const place = await locate(file, folder);
    if (seen.has(place) || (isOptional && place === "")) continue;
    seen.add(place);
    located.push({
      file: place === "" ? file : place,
      ...(isOptional && { optional: true }),
      ...others,
    });
  }
  const { media: _, ...rest } = entry;
  return located.length > 0 ? { ...rest, media: located } : rest;
}

async function locate(file: string, folder: MediaFolder): Promise<string> {
  if (!isLink(file) && (await folder.has(file))) return file;
  const name = toLinkName(file);
  const found = name === "" ? undefined : await folder.find(name);
  return found ?? (isLink(file) ? name : file);
}
