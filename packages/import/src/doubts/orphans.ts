// Recordings that lie in the folder and that no row names: a column of the mapping may be the wrong one, or rows are missing.
import { readdirSync, statSync } from "node:fs";
import { basename, dirname, extname, join, normalize, relative } from "node:path";
import { parseDatetime } from "@call-media/store/values";
import { isObject } from "../json.ts";
import { type JudgedCall, toDoubts } from "./doubt.ts";

const SOUND =
  /\.(?:wav|wave|mp3|ogg|oga|opus|flac|m4a|aac|mp4|webm|wma|amr|gsm|g72\d\w?|[au]law|al|ul|au|aiff?|sln\d*|spx|caf|nmf)$/i;

export interface Orphans {
  /** `path` is that of its file. */
  readonly see: (call: JudgedCall, path: string) => void;
  /** Paths of the recordings, below the folder that was given. */
  readonly list: () => readonly string[];
}

// More than zones differ by.
const BEFORE_MS = 2 * 86_400_000;

/**
 * Of `given`, the folder of the recordings, all of what lies below it; without one the folders in which named recordings lie. A
 * recording that was written before the first of the calls belongs to those of earlier imports. If a folder has files of the same kind
 * that are not imported, recordings may belong to their calls, and none is listed.
 */
export function createOrphans(given: string | undefined): Orphans {
  const unnamed = new Set<string>();
  const known = new Set<string>();
  const files = new Set<string>();
  let firstMs = Infinity;
  const open = (directory: string, recursive: boolean) => {
    if (known.has(directory)) return;
    known.add(directory);
    for (const path of listSounds(directory, recursive)) unnamed.add(path.normalize());
  };
  if (given !== undefined) open(normalize(given), true);
  return {
    see: ({ entry }, file) => {
      files.add(file);
      const directory = dirname(file);
      const { datetime } = entry;
      const parsed = typeof datetime === "string" ? parseDatetime(datetime.trim(), "UTC") : "";
      if (typeof parsed !== "string") firstMs = Math.min(firstMs, parsed.instantMs);
      for (const name of listNames(entry)) {
        const path = join(given ?? directory, name);
        if (given === undefined) open(dirname(path), false);
        unnamed.delete(path.normalize());
      }
    },
    list: () =>
      [...(unnamed.size > 0 && hasOthers(files) ? [] : unnamed)]
        .filter(
          (path) =>
            firstMs === Infinity || (findModifiedMs(path) ?? -Infinity) >= firstMs - BEFORE_MS,
        )
        .map((path) => (given === undefined ? path : relative(given, path)))
        .toSorted(),
  };
}

// Exports of other days differ in digits, and sidecar files in those of hexadecimal names.
const toShape = (path: string) =>
  basename(path, extname(path)).replaceAll(/[\da-f]*\d[\da-f]*/gi, "#") + extname(path);

/** True if a file that is not among these looks like an export of the same kind. */
const hasOthers = (files: ReadonlySet<string>): boolean =>
  [...Map.groupBy(files, dirname)].some(([directory, some]) => {
    const shapes = new Set(some.map(toShape));
    return listNamesIn(directory).some(
      (name) => shapes.has(toShape(name)) && !files.has(join(directory, name)),
    );
  });

function listNamesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return []; // a pipe has no folder
  }
}

/** When a file was last written to, in ms since 1970; undefined where there is none that can be found. */
export function findModifiedMs(path: string): number | undefined {
  try {
    const found = statSync(path);
    return found.isFile() ? found.mtimeMs : undefined;
  } catch {
    return undefined; // names come from outside, and links may go in a circle
  }
}

/** The recordings that an entry names by their files. */
export function listFiles({ media }: JudgedCall["entry"]): readonly string[] {
  if (!Array.isArray(media)) return [];
  return media.flatMap((one) =>
    isObject(one) && typeof one["file"] === "string" ? one["file"] : [],
  );
}

function listNames(entry: JudgedCall["entry"]): readonly string[] {
  const { recordings } = entry;
  return [...listFiles(entry), ...(typeof recordings === "string" ? recordings.split("; ") : [])];
}

function listSounds(directory: string, recursive: boolean): readonly string[] {
  try {
    return readdirSync(directory, { recursive, withFileTypes: true })
      .filter((file) => !file.isDirectory() && SOUND.test(file.name) && !file.name.startsWith("."))
      .map(({ parentPath, name }) => join(parentPath, name));
  } catch {
    return []; // the row that names a recording there says so
  }
}

/** `listed` is the file that has them all. */
export const toOrphanDoubts = (orphans: readonly string[], listed: string | undefined) =>
  toDoubts(
    orphans,
    {
      name: "orphans",
      effect: "warn",
      text: "the recording lies in the folder, and no row that could be read names it",
      advice: `Look whether the mapping names the right column, and whether rows are missing${listed === undefined ? "" : `. All are listed in ${listed}`}`,
    },
    { unit: "recording" },
  );
