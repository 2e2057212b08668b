// What a document is taken apart into: everything that a client meets, in its place of use.
import type { Place } from "./json.ts";
import type { Rating } from "./rating.ts";

export type PartKind =
  | "document"
  | "info"
  | "scheme"
  | "server"
  | "operation"
  | "parameter"
  | "body"
  | "answer"
  | "header"
  | "link"
  | "media"
  | "schema"
  /** The schema of a field of an object. */
  | "field"
  /** A schema in a list of which all, any or one must hold. */
  | "member";

/** Who writes what is described: in a request the client does, and the service must take it. */
export type Direction = "request" | "response";

export interface Role {
  readonly kind: PartKind;
  readonly direction: Direction;
  /** In words and the same in both documents: `GET /flags/public 200 application/json data[].Name`. */
  readonly name: string;
  /** The name of the part that it belongs to; none at the top. */
  readonly owner?: string;
}

export interface Part extends Place, Role {
  /** Of a schema: fields that it does not have in this place, since only the other side writes them. */
  readonly othersFields?: readonly string[];
}

/** The parts of a document by name. An operation's `security` is the one in force: its own or else the document's. */
export type Surface = ReadonlyMap<string, Part>;

/** What a document is taken apart beside: nothing, where it is left out. */
export interface Beside {
  /** What the earlier document gave, for the later one, which then has the same names for the same parts. */
  readonly earlier?: Surface;
  /** What the other document gave, whichever it is. */
  readonly other?: Surface;
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
