// Where recordings lie: in a folder of the archive's, named by what is in them, or linked, where they were before.
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Media } from "../port/index.ts";

/** The folder of the recordings in an archive's folder. */
export const MEDIA = "media";

export type MediaPlace = Pick<Media, "sha256" | "location">;

export function toMediaPath(directory: string, sha256: string): string {
  return join(directory, sha256.slice(0, 2), sha256);
}

/** Where the file of a recording lies, in the folder or linked. */
export function toMediaFile(directory: string, { sha256, location }: MediaPlace): string {
  return location ?? toMediaPath(directory, sha256);
}

const UNFINISHED = ".part";

/** A name that no other has, for a file until it is whole; one that is left was cut off with its program. */
export function toUnfinished(directory: string): string {
  return join(directory, `.${randomUUID()}${UNFINISHED}`);
}

export function isUnfinished(name: string): boolean {
  return name.startsWith(".") && name.endsWith(UNFINISHED);
}
