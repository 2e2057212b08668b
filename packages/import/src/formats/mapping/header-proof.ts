// Compares the header of a table with the names of a mapping. A column that is missing stops an import before a row is read.
import type { Allowance } from "../../doubts/allowance.ts";
import { type Doubt, toDoubts } from "../../doubts/doubt.ts";
import { ImportStopped } from "../../doubts/import-stopped.ts";
import { toLetters } from "../columns.ts";
import { listNames, type Mapping } from "./mapping.ts";
import {
  createColumnFinder,
  findFileName,
  findInColumns,
  type MissingColumn,
  toColumnsText,
  toMissingText,
} from "./names.ts";
import type { Find } from "./template.ts";
import { findNear, listUses, LOOK_FOR_OTHERS, toOptional } from "./uses.ts";

/** A table and its header. */
export interface TableHeader {
  readonly file: string;
  readonly columns: readonly string[];
}

export interface ColumnProof {
  /** As `findInColumns`. Throws `ImportStopped` if the header lacks names of the mapping, unless that is allowed. */
  readonly find: (header: TableHeader) => Find<readonly string[]>;
  readonly judge: () => readonly Doubt[];
}

export function createColumnProof(mapping: Mapping, allow: readonly Allowance[] = []): ColumnProof {
  const lacking = new Map<string, TableHeader>();
  const judge = () => judgeHeaders([...lacking.values()], mapping);
  return {
    find: (header) => {
      const { file, columns } = header;
      const doubts = judgeHeaders([header], mapping);
      if (doubts.length === 0) return findInColumns(columns, mapping);
      if (!allow.includes("empty")) throw new ImportStopped(doubts);
      lacking.set(file, header);
      return findInColumns(columns, { ...mapping, optional: listNames(mapping) });
    },
    judge,
  };
}

/** In doubt are the names of the mapping that these headers lack, and that no sample proves. */
export const judgeHeaders = (headers: readonly TableHeader[], mapping: Mapping) =>
  toMissing(headers, mapping, "stop");

/** `stop` is about the names that no sample proves, `warn` about the others. */
export function toMissing(
  headers: readonly TableHeader[],
  mapping: Mapping,
  effect: Doubt["effect"],
): readonly Doubt[] {
  const named = new Set(listUses(mapping).map(({ name }) => toLetters(name)));
  const all = headers.flatMap((header) => {
    const others = header.columns.filter((column) => !named.has(toLetters(column)));
    if (effect === "warn" && others.every(mapping.isSampled)) return [];
    return listMissingColumns(header.columns, mapping)
      .filter(({ name }) => mapping.proved.has(name) === (effect === "warn"))
      .map((column) => ({
        ...header,
        ...column,
        near: findNear(column.name, others) ?? findFileName(column.name),
      }));
  });
  const missing = all.toSorted((one, other) => Number(isMisspelt(other)) - Number(isMisspelt(one)));
  const [first] = missing;
  if (first === undefined) return [];
  const names = [...new Set(missing.map(({ name }) => name))];
  const advice = effect === "warn" ? LOOK_FOR_OTHERS : `Correct the names, or ${toOptional(names)}`;
  const toText = ({ near, ...one }: (typeof missing)[number]) =>
    `${one.file}: ${toMissingText(one)}${near === undefined ? "" : `, but "${near}"`}`;
  return toDoubts(missing.map(toText), {
    name: "empty",
    effect,
    text: "the mapping has names that are no column",
    advice: `${first.file} has ${toColumnsText(first.columns)}. ${advice}`,
  });
}

const isMisspelt = ({ near }: { readonly near: string | undefined }) => near !== undefined;

export function listMissingColumns(
  columns: readonly string[],
  mapping: Mapping,
): readonly MissingColumn[] {
  const findAt = createColumnFinder(columns);
  return listUses(mapping).filter(
    ({ name, join }) =>
      join === undefined && !mapping.optional.has(name) && findAt(name).length === 0,
  );
}
