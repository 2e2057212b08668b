// What `login` keeps: a file for each profile, in the platform's folder for settings, that its owner alone may read.
import { existsSync, readFileSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { toSuggestion } from "../command-line/suggestion.ts";
import { ifMissing, isMissing } from "../failures/system-error.ts";
import { UsageError } from "../failures/usage-error.ts";
import { makeFolder, replaceFile } from "../files/written-files.ts";
import { findUserFolder } from "../files/user-folders.ts";
import { io } from "../io.ts";

/** Used where no profile is named and `profiles use` has named none. */
const DEFAULT_PROFILE = "default";

const NAME = /^[a-z\d][\w-]{0,63}$/i;
const EXTENSION = ".json";

/** @throws UsageError where the user has no home. */
function toFolder(): string {
  const folder = findUserFolder("config");
  if (folder !== undefined) return join(folder, "profiles");
  throw new UsageError("there is no folder for profiles, as this user has no home: set HOME");
}

/** The file of a profile that `login` keeps under `name`; anything that is no name is a file itself. */
export function toProfileFile(name: string): string {
  return NAME.test(name) ? join(toFolder(), `${name}${EXTENSION}`) : resolve(name);
}

/** Has the name of the profile in use. */
const toUsedFile = () => join(dirname(toFolder()), "profile-in-use");

/** The name of the profile that is used where none is named. */
export function findUsed(): string {
  if (findUserFolder("config") === undefined) return DEFAULT_PROFILE;
  const file = toUsedFile();
  const name = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  return NAME.test(name) && existsSync(toProfileFile(name)) ? name : DEFAULT_PROFILE;
}

/** Makes it the one that is used. @throws UsageError where nothing is kept under that name. */
export async function useProfile(name: string): Promise<void> {
  await findProfileFile(checkProfileName(name));
  await replaceFile(toUsedFile(), `${name}\n`);
}

/** The file of the profile in use; undefined where there is none. */
export function findUsedFile(): string | undefined {
  if (findUserFolder("config") === undefined) return undefined;
  const file = toProfileFile(findUsed());
  return existsSync(file) ? file : undefined;
}

/** Which profile `login` and `logout` are about, where the command line may name one. */
export const toOwnName = (given: string | undefined): string =>
  given ?? (io().env["CALL_MEDIA_PROFILE"] || DEFAULT_PROFILE);

/** @throws UsageError where it is a name under which nothing is kept. */
export async function findProfileFile(name: string): Promise<string> {
  const file = toProfileFile(name);
  if (NAME.test(name) && !existsSync(file)) throw await toUnknownProfile(name);
  return file;
}

async function toUnknownProfile(name: string): Promise<UsageError> {
  const advice = ": call-media profiles lists them, login keeps one";
  const meant = toSuggestion(name, await listProfiles()) || advice;
  return new UsageError(`there is no profile ${name}${meant}`);
}

/** @throws UsageError where it is no name to keep a profile under. */
export function checkProfileName(name: string): string {
  if (NAME.test(name)) return name;
  throw new UsageError(
    `${name} is no name for a profile: letters, digits, - and _, 64 at most, such as production`,
  );
}

/** Takes the place of what was kept under that name, whole or not at all. */
export async function saveProfile(name: string, profile: object): Promise<string> {
  const file = toProfileFile(checkProfileName(name));
  await makeFolder(toFolder());
  await replaceFile(file, `${JSON.stringify(profile, undefined, 2)}\n`);
  return file;
}

/**
 * The file that is gone.
 *
 * @throws UsageError where nothing is kept under that name.
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

/** Names, in order. */
export async function listProfiles(): Promise<readonly string[]> {
  const files = await readdir(toFolder()).catch(ifMissing([]));
  return files
    .filter((file) => file.endsWith(EXTENSION))
    .map((file) => basename(file, EXTENSION))
    .filter((name) => NAME.test(name))
    .toSorted();
}
