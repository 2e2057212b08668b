// The paths of recordings: in the archive's directory, named by their content, or linked at their original place.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Media } from "../port/index.ts";

/** The directory of the recordings, inside the archive's directory. */
export const MEDIA = "media";

export type MediaPlace = Pick<Media, "sha256" | "location">;

export function toMediaPath(directory: string, sha256: string): string {
  return join(directory, sha256.slice(0, 2), sha256);
}

/** The path of a recording's file, in the directory or linked. */
export function toMediaFile(directory: string, { sha256, location }: MediaPlace): string {
  return location ?? toMediaPath(directory, sha256);
}

const UNFINISHED = ".part";

/** A unique name for an incomplete file. A file that still has such a name was interrupted together with its program. */
export function toUnfinished(directory: string): string {
  return join(directory, `.${randomUUID()}${UNFINISHED}`);
}

export function isUnfinished(name: string): boolean {
  return name.startsWith(".") && name.endsWith(UNFINISHED);
}
