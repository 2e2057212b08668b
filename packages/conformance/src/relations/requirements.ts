// What an API must do, in the words of its owner: the names that rules give to their clauses, each with its sentence and source.
import { isObject } from "@call-media/contract-diff";
import { listOf } from "../document/schemas.ts";
import { toText } from "../values/places.ts";

/** Where a requirement comes from: a line of a text, a decision, or a place in the document. */
export const BASES = ["line", "decision", "document"] as const;

/** A statement about a service that findings cite. */
export interface Requirement {
  readonly operations: readonly string[];
  /** What must hold, in one sentence. */
  readonly says: string;
  readonly basis: (typeof BASES)[number];
  /** The line, the name of the decision, or the place in the document. */
  readonly source: string;
  /** True if a fault is the same at every operation. */
  readonly isOfService: boolean;
}

/** By name, in the order of the file. */
export type Requirements = ReadonlyMap<string, Requirement>;

/** The names of operations as relations have them: `*` stands for all. */
export const namesOf = (written: unknown, all: readonly string[]): readonly string[] =>
  written === "*" ? all : listOf(written).map(String);

/** Reads `requirements` of relations, which the schema has validated. `all`: what `*` stands for. */
export function toRequirements(written: unknown, all: readonly string[]): Requirements {
  const rows = listOf(written).flatMap((group) => {
    const { of = "*", says, once, ...others } = isObject(group) ? group : {};
    const basis = BASES.find((one) => others[one] !== undefined) ?? "line";
    const shared = {
      operations: namesOf(of, all),
      basis,
      source: toText(others[basis] ?? ""),
      isOfService: once === true,
    };
    return Object.entries(isObject(says) ? says : {}).map(
      ([id, sentence]) => [id, { ...shared, says: String(sentence) }] as const,
    );
  });
  return new Map(rows);
}

/** The source as reports show it: a line as it is written, `D07`, `spec: components/securitySchemes`. */
export const toSourceText = ({ basis, source }: Pick<Requirement, "basis" | "source">): string =>
  basis === "document" ? `spec: ${source}` : source;
