// The parts of a document: everything that concerns a client, at its place of use.
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

/** The writer of the described value: in a request it is the client, and the service must accept it. */
export type Direction = "request" | "response";

/** The notation of values that are not JSON: in XML, or as text without quotes, as in a URL. */
export type Form = "text" | "xml";

export interface Role {
  readonly kind: PartKind;
  readonly direction: Direction;
  /** Undefined: JSON. */
  readonly form?: Form | undefined;
  /** A description that is the same for both documents: `GET /flags/public 200 application/json data[].Name`. */
  readonly name: string;
}

/** An operation's `security` is the one that applies: its own, or else the document's. */
export interface Part extends Place, Role {}

/** A part in both documents, or in only one of them. */
export interface Meeting extends Pair<Part> {
  /** True if it is a field that only the other side writes in one of the documents. */
  readonly isOthers?: boolean;
  /** The enclosing parts. Several, if a pair of schemas is used in several places: it is compared once. */
  readonly owners: Meeting[];
}

/** A rule for parts that both documents have. */
export interface Rule {
  readonly kinds: readonly PartKind[];
  /** The message of a finding. The part's name precedes it. */
  readonly message: string | ((before: Part, after: Part) => string);
  /** The keys of the part that the rule is about. The first existing one is the place of the change. */
  readonly keys: (before: Part, after: Part) => readonly string[];
  readonly rate: (before: Part, after: Part) => Rating;
}
