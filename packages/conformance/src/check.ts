// The input of a check: an API by its document and relations, a service of it, and what only this API adds.
import type { ApiDocument } from "./document/document.ts";
import type { Instance } from "./instance.ts";
import type { Relations } from "./relations/relations.ts";
import type { ApiOptions, ApiTarget } from "./report.ts";

export interface ApiCheck {
  readonly document: ApiDocument;
  readonly relations: Relations;
  readonly target: ApiTarget;
  readonly options?: ApiOptions;
  /** Called for each run; default: the document and the relations say all. */
  readonly open?: (() => Instance) | undefined;
}
