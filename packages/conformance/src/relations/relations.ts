// What an owner says of an API beside its document: lists, sources of values, and rules.
import type { JsonObject } from "@call-media/contract-diff";
import type { Rule } from "./kinds.ts";

export interface ListInfo {
  /** Place of the array in the answer; empty for the answer itself. */
  readonly items: string;
  /** What makes a row itself; `*` for the whole row. */
  readonly key: readonly string[];
  /** The query that shows all. */
  readonly open: JsonObject;
}

/** What an owner says of an operation's answer; `none`: it is no list. */
export type Told = Partial<ListInfo> | "none";

/** Values that are right by themselves, such as `0` for a root folder. */
export interface Literals {
  readonly literal: unknown;
}

export interface Relations {
  readonly lists: Readonly<Record<string, Told>>;
  /** By parameter, `getUser.id` or `/users/{id}.id`, or its name alone: `listSpecialEvents`, or `listUsers#data/*\/id`. */
  readonly values: Readonly<Record<string, string | Literals>>;
  readonly rules: readonly Rule[];
  /** Operations that change nothing, whatever their method. */
  readonly safe: readonly string[];
  /** Fields that may differ between two answers of the same thing. */
  readonly ignore: readonly string[];
  readonly isOpen: boolean;
  /** Lists without a row are what the service has: they make no check `unable`. */
  readonly isEmptyOk: boolean;
  /** How long after a write the service may still show what was there before. */
  readonly consistencyMs: number | undefined;
}
