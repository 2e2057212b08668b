// What an owner states about an API in addition to its document: lists, sources of values, and rules.
import type { JsonObject } from "@call-media/contract-diff";
import type { Rule } from "./kinds.ts";
import type { Requirements } from "./requirements.ts";

export interface ListInfo {
  /** Place of the array in the response; empty if the response itself is the array. */
  readonly items: string;
  /** The fields that identify a row; `*` for the complete row. */
  readonly key: readonly string[];
  /** The query that returns all rows. */
  readonly open: JsonObject;
}

/** The owner's statement about an operation's response; `none`: it is not a list. */
export type Told = Partial<ListInfo> | "none";

/** Values that are always valid, such as `0` for a root folder. */
export interface Literals {
  readonly literal: unknown;
}

export interface Relations {
  readonly lists: Readonly<Record<string, Told>>;
  /** By parameter, as `getUser.id`, `/users/{id}.id` or only its name. The value is `listSpecialEvents` or `listUsers#data/*\/id`. */
  readonly values: Readonly<Record<string, string | Literals>>;
  readonly rules: readonly Rule[];
  /** What the ids of rules stand for. Empty if rules say it themselves. */
  readonly requirements: Requirements;
  /** Operations that change nothing, whatever their method. */
  readonly safe: readonly string[];
  /** Fields that may differ between two responses with the same thing. */
  readonly ignore: readonly string[];
  readonly isOpen: boolean;
  /** Accept empty lists: they make no check `unable`. */
  readonly isEmptyOk: boolean;
  /** How long the service may show old data after a write. */
  readonly consistencyMs: number | undefined;
}
