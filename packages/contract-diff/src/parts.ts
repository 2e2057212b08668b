// What a document is taken apart into: everything that a client meets, in its place of use.
import type { Place } from "./places.ts";

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
  /** Whether nothing in it was followed, since it contains itself. */
  readonly isCut?: boolean;
}

/** The parts of a document by name. An operation's `security` is the one in force: its own or else the document's. */
export type Surface = ReadonlyMap<string, Part>;
