// Whether an archive keeps bytes of rows that are gone. Since `secure_delete` is on from its first byte, and words are removed with the
// last call that has them, it keeps none; one of an earlier version does, until a purge has rewritten it once.
import type { DatabaseSync } from "node:sqlite";
import { findSetting, putSetting, removeSetting } from "./settings.ts";

const SWEPT = "swept";

export const isSwept = (database: DatabaseSync): boolean =>
  findSetting(database, SWEPT) !== undefined;

export const noteSwept = (database: DatabaseSync): void => putSetting(database, SWEPT, "1");

export const noteUnswept = (database: DatabaseSync): void => removeSetting(database, SWEPT);
