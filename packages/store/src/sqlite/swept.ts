// Tells whether an archive still has bytes of deleted rows. A new archive has none: `secure_delete` is on from the start, and the last
// call with a word takes the word along. An archive of an earlier version has some until a purge rewrites it once.
import type { DatabaseSync } from "node:sqlite";
import { findSetting, putSetting, removeSetting } from "./settings.ts";

const SWEPT = "swept";

export const isSwept = (database: DatabaseSync): boolean =>
  findSetting(database, SWEPT) !== undefined;

export const noteSwept = (database: DatabaseSync): void => putSetting(database, SWEPT, "1");

export const noteUnswept = (database: DatabaseSync): void => removeSetting(database, SWEPT);
