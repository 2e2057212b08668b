// Stores the state of a watch in a file: the calls that it has seen.
import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { UsageError } from "@call-media/terminal";
import { replaceFile } from "../files/written-files.ts";
import type { WantedFields } from "../search/wanted.ts";

export interface Cursor {
  /** The first day of the search. */
  readonly from: string;
  /** Digests of the calls, without their content. */
  readonly calls: readonly string[];
}

interface Kept extends Cursor {
  readonly version: 1;
  /** Digest of service, filter and condition. */
  readonly of: string;
}

export interface CursorFile {
  /**
   * Undefined if the file does not exist yet.
   *
   * @throws UsageError if it is not a cursor, or one of another search.
   */
  readonly read: () => Promise<Cursor | undefined>;
  /** Replaces the file, completely or not at all. */
  readonly write: (cursor: Cursor) => Promise<void>;
}

export interface Watched {
  readonly baseUrl: string;
  readonly fields: WantedFields;
  /** The condition as text. Calls that do not match are recorded as seen too. */
  readonly where: string | undefined;
}

export function createCursorFile(path: string, watched: Watched): CursorFile {
  const of = toDigest(watched);
  return {
    read: async () => {
      if (!existsSync(path)) return undefined;
      const kept = parseKept(await readFile(path, "utf8"), path);
      if (kept.of === of) return kept;
      throw new UsageError(`--cursor ${path} is of another service or search: name another file`);
    },
    write: async (cursor) => {
      const kept: Kept = { version: 1, of, ...cursor };
      await replaceFile(path, JSON.stringify(kept));
    },
  };
}

function toDigest({ baseUrl, fields: { by, filter }, where }: Watched): string {
  const values = Object.keys(filter)
    .toSorted()
    .map((field) => [field, filter[field]]);
  const condition = where === undefined ? [] : [where];
  return hash("sha256", JSON.stringify([baseUrl, by, values, ...condition]));
}

function parseKept(text: string, path: string): Kept {
  const fault = new UsageError(`--cursor ${path} is not what watch keeps: name another file`);
  try {
    const kept: Partial<Kept> | null = JSON.parse(text);
    const { version, of, from, calls } = kept ?? {};
    const isWhole = version === 1 && of !== undefined && Array.isArray(calls);
    if (isWhole && from !== undefined && calls.every((key) => typeof key === "string"))
      return { version, of, from, calls };
  } catch (error) {
    fault.cause = error;
  }
  throw fault;
}
