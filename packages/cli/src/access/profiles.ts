// Stores the profiles of `login`: a file each, private to its owner, in the platform's folder for settings.
import { existsSync, readFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { findUserFolder, io, toSuggestion, UsageError } from "@call-media/terminal";
import { ifMissing, isMissing } from "../failures/system-error.ts";
import { makeFolder, replaceFile } from "../files/written-files.ts";

/** Used unless a profile is named, or was by `profiles use`. */
const DEFAULT_PROFILE = "default";

const NAME = /^[a-z\d][\w-]{0,63}$/i;
const EXTENSION = ".json";

/** @throws UsageError if the user has no home directory. */
function toFolder(): string {
  const folder = findUserFolder("config", io().env);
  if (folder !== undefined) return join(folder, "profiles");
  throw new UsageError("this user has no home directory for profiles: set HOME");
}

/** The file of a profile of `login`. Text that is not a valid name is itself a path. */
export function toProfileFile(name: string): string {
  return NAME.test(name) ? join(toFolder(), `${name}${EXTENSION}`) : resolve(name);
}

/** This file has the name of the profile in use. */
const toUsedFile = () => join(dirname(toFolder()), "profile-in-use");

/** The name of the profile in use. */
export function findUsed(): string {
  if (findUserFolder("config", io().env) === undefined) return DEFAULT_PROFILE;
  const file = toUsedFile();
  const name = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  return NAME.test(name) && existsSync(toProfileFile(name)) ? name : DEFAULT_PROFILE;
}

/** Makes it the profile in use. @throws UsageError if it does not exist. */
export async function useProfile(name: string): Promise<void> {
  await findProfileFile(checkProfileName(name));
  await replaceFile(toUsedFile(), `${name}\n`);
}

/** The file of the profile in use; undefined if it does not exist. */
export function findUsedFile(): string | undefined {
  if (findUserFolder("config", io().env) === undefined) return undefined;
  const file = toProfileFile(findUsed());
  return existsSync(file) ? file : undefined;
}

/** The profile of `login` and `logout`: the given one, that of the environment, or the default. */
export const toOwnName = (given: string | undefined): string =>
  given ?? (io().env["CALL_MEDIA_PROFILE"] || DEFAULT_PROFILE);

/** @throws UsageError if no profile has that name. */
export async function findProfileFile(name: string): Promise<string> {
  const file = toProfileFile(name);
  if (NAME.test(name) && !existsSync(file)) throw await toUnknownProfile(name);
  return file;
}

async function toUnknownProfile(name: string): Promise<UsageError> {
  const advice = ": call-media profiles lists them, call-media login saves one";
  const meant = toSuggestion(name, await listProfiles()) || advice;
  return new UsageError(`unknown profile ${name}${meant}`);
}

/** @throws UsageError if the name is not valid. */
export function checkProfileName(name: string): string {
  if (NAME.test(name)) return name;
  throw new UsageError(
    `${name} is not a name for a profile: use at most 64 letters, digits, - and _, such as production`,
  );
}

/** Replaces the profile of that name, completely or not at all. */
export async function saveProfile(name: string, profile: object): Promise<string> {
  const file = toProfileFile(checkProfileName(name));
  await makeFolder(toFolder());
  await replaceFile(file, `${JSON.stringify(profile, undefined, 2)}\n`);
  return file;
}

/**
 * Returns the file that was removed.
 *
 * @throws UsageError if no profile has that name.
 */
export async function removeProfile(name: string): Promise<string> {
  const file = toProfileFile(checkProfileName(name));
  const isUsed = findUsed() === name;
  await rm(file).catch(async (error: unknown) => {
    if (!isMissing(error)) throw error;
    throw await toUnknownProfile(name);
  });
  if (isUsed) await rm(toUsedFile(), { force: true });
  return file;
}

/** Sorted names. */
export async function listProfiles(): Promise<readonly string[]> {
  const files = await readdir(toFolder()).catch(ifMissing([]));
  return files
    .filter((file) => file.endsWith(EXTENSION))
    .map((file) => basename(file, EXTENSION))
    .filter((name) => NAME.test(name))
    .toSorted();
}
