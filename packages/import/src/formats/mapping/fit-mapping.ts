// Whether a file is what a mapping speaks of, told by its beginning: a folder may hold a manifest beside the records.
import { isObject } from "../../json.ts";
import { type Head, pick } from "../../head.ts";
import { ImportError } from "../../import-options.ts";
import { readFirstRecord } from "../table.ts";
import { bindMapping, findInColumns, findInRecord } from "./bind-mapping.ts";
import type { Mapping } from "./mapping.ts";

/** What is missing in the file, for people; undefined for one that fits. */
export function findMisfit(head: Head, mapping: Mapping): string | undefined {
  if (head.json !== undefined) return findMissingMembers(head, mapping);
  const columns = mapping.columns ?? readFirstRecord(head).values.map((name) => name.trim());
  try {
    bindMapping(mapping, findInColumns(columns, mapping.nulls));
    return undefined;
  } catch (error) {
    if (error instanceof ImportError) return error.message;
    throw error;
  }
}

function findMissingMembers({ json }: Head, mapping: Mapping): string | undefined {
  const record = pick(json, mapping.records ?? (Array.isArray(json) ? "*" : ""));
  const find = findInRecord(mapping.nulls);
  const names = mapping.fields.flatMap(({ from }) =>
    from.flatMap(({ key, template }) =>
      template.filter(({ isName }) => isName).map(({ text }) => ({ text, read: find(text, key) })),
    ),
  );
  if (isObject(record) && names.some(({ read }) => read(record) !== undefined)) return undefined;
  return `its first record has none of ${names.map(({ text }) => text).join(", ")}`;
}
