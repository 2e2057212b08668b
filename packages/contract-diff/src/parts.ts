// What a document is taken apart into: everything that a client meets, in its place of use.
import type { Place } from "./json.ts";
import type { Pair } from "./pairs.ts";
import type { Rating } from "./rating.ts";

export const PART_KINDS = [
  "document",
  "info",
  "scheme",
  "server",
  "operation",
  "parameter",
  "body",
  "answer",
  "header",
  "link",
  "media",
  "schema",
  /** The schema of a field of an object. */
  "field",
  /** A schema in a list of which all, any or one must hold. */
  "member",
] as const;

export type PartKind = (typeof PART_KINDS)[number];

/** Who writes what is described: in a request the client does, and the service must take it. */
export type Direction = "request" | "response";

/** How values are written that are no JSON: in XML, or as texts without quotes, as in an address. */
export type Form = "text" | "xml";

export interface Role {
  readonly kind: PartKind;
  readonly direction: Direction;
  /** Undefined: as JSON. */
  readonly form?: Form | undefined;
  /** In words and the same for both documents: `GET /flags/public 200 application/json data[].Name`. */
  readonly name: string;
}

/** An operation's `security` is the one in force: its own or else the document's. */
export interface Part extends Place, Role {}

/** A part in both documents, or in one of them that the other has not. */
export interface Meeting extends Pair<Part> {
  /** Whether it is a field that only the other side writes in one of the documents. */
  readonly isOthers?: boolean;
  /** What it is in, and all else that it is in for the same reason: a pair of schemas is compared once. */
  readonly owners: Meeting[];
}

/** A rule on parts that both documents have. */
export interface Rule {
  readonly kinds: readonly PartKind[];
  /** What the rule says when it finds something; the part's name is put before it. */
  readonly message: string | ((before: Part, after: Part) => string);
  /** The keys of the part that it is about; the first that is there is where the change stands. */
  readonly keys: (before: Part, after: Part) => readonly string[];
  readonly rate: (before: Part, after: Part) => Rating;
}
