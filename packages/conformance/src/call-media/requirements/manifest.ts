// The manifest: every requirement by its id.
import type { OperationId } from "@call-media/api";
import type { Yardstick } from "../target.ts";
import { http } from "./http.ts";
import { metadata } from "./metadata.ts";
import { recordings } from "./recordings.ts";
import type { Requirement } from "./requirement.ts";
import { rights } from "./rights.ts";
import { token } from "./token.ts";
import { users } from "./users.ts";
import { words } from "./words.ts";

const all = { ...http, ...token, ...metadata, ...users, ...recordings, ...rights, ...words };

export type RequirementId = keyof typeof all;

export const isRequirementId = (id: string): id is RequirementId => Object.hasOwn(all, id);

export const manifest: Readonly<Record<RequirementId, Requirement>> = all;

/** The source of a requirement, as reports show it. */
export function toSourceText({ source }: Pick<Requirement, "source">): string {
  if ("line" in source) return source.line;
  return "decision" in source ? source.decision : `spec: ${source.document}`;
}

/** True if the milder yardstick, `interface`, includes the requirement. */
export function isStated({ source }: Requirement): boolean {
  return "line" in source;
}

/** A requirement in a report. */
export interface ListedRequirement {
  readonly id: string;
  readonly operations: readonly OperationId[];
  /** What must hold. */
  readonly says: string;
  /** The line of the interface, verbatim, or the id of the decision, such as D07. */
  readonly source: string;
}

/** All requirements of a yardstick. */
export function listRequirements(against: Yardstick): readonly ListedRequirement[] {
  return Object.entries(manifest)
    .filter(([, requirement]) => against === "decisions" || isStated(requirement))
    .map(([id, { operations, says, source }]) => ({
      id,
      operations,
      says,
      source: toSourceText({ source }),
    }));
}
