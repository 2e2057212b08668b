// Recordings that lie in the folder and that no row names: a column of the mapping may be the wrong one, or rows are missing.
import { readdirSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { isObject } from "../json.ts";
import type { Doubt, JudgedCall } from "./doubt.ts";

const SOUND =
  /\.(?:wav|wave|mp3|ogg|oga|opus|flac|m4a|aac|mp4|webm|wma|amr|gsm|g72\d\w?|[au]law|al|ul|au|aiff?|sln\d*|spx|caf|nmf)$/i;
const FIRST = 10;

export interface Orphans {
  readonly see: (call: JudgedCall, directory: string) => void;
  /** Paths of the recordings, below the folder that was given. */
  readonly list: () => readonly string[];
}

/**
 * Of `given`, the folder of the recordings, all of what lies below it; without one the folders in which named recordings lie.
 */
export function createOrphans(given: string | undefined): Orphans {
  const unnamed = new Set<string>();
  const known = new Set<string>();
  const open = (directory: string, recursive: boolean) => {
    if (known.has(directory)) return;
    known.add(directory);
    for (const path of listSounds(directory, recursive)) unnamed.add(path.normalize());
  };
  if (given !== undefined) open(normalize(given), true);
  return {
    see: ({ entry }, directory) => {
      for (const name of listNames(entry)) {
        const path = join(given ?? directory, name);
        if (given === undefined) open(dirname(path), false);
        unnamed.delete(path.normalize());
      }
    },
    list: () =>
      [...unnamed].map((path) => (given === undefined ? path : relative(given, path))).toSorted(),
  };
}

function listNames({ media, recordings }: JudgedCall["entry"]): readonly string[] {
  const files = Array.isArray(media)
    ? media.map((one) => (isObject(one) ? one["file"] : undefined))
    : [];
  const names = typeof recordings === "string" ? recordings.split("; ") : [];
  return [...files, ...names].filter((name) => typeof name === "string");
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
export function toOrphanDoubts(orphans: readonly string[], listed: string | undefined): Doubt[] {
  if (orphans.length === 0) return [];
  const doubt: Doubt = {
    name: "orphans",
    effect: "warn",
    text: "the recording lies in the folder, and no row that could be read names it",
    count: orphans.length,
    unit: "recording",
    first: orphans.slice(0, FIRST),
    advice: `Look whether the mapping names the right column, and whether rows are missing${listed === undefined ? "" : `. All are listed in ${listed}`}`,
  };
  return [doubt];
}
