// The manifest of Call Media: every requirement by its id.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { OperationId } from "@call-media/api";
import { isObject } from "@call-media/contract-diff";
import { parseWritten } from "@call-media/contract-diff/files";
import {
  type Requirement,
  type Requirements,
  toRequirements,
  toSourceText,
} from "../../relations/requirements.ts";
import { toId } from "../answer.ts";
import { ALL } from "../operations.ts";
import type { Yardstick } from "../target.ts";

/** A relations file, which has no rules. */
export const REQUIREMENTS = fileURLToPath(
  new URL("../../../relations/call-media.requirements.yaml", import.meta.url),
);

let read: Requirements | undefined;

/** All requirements, read once. */
export function manifest(): Requirements {
  if (read !== undefined) return read;
  const { value } = parseWritten(REQUIREMENTS, readFileSync(REQUIREMENTS, "utf8"));
  read = toRequirements(isObject(value) ? value["requirements"] : [], ALL);
  return read;
}

/** True if the milder yardstick, `interface`, includes the requirement. */
const isStated = ({ basis }: Requirement): boolean => basis === "line";

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
  return [...manifest()]
    .filter(([, requirement]) => against === "decisions" || isStated(requirement))
    .map(([id, requirement]) => ({
      id,
      operations: requirement.operations.map(toId),
      says: requirement.says,
      source: toSourceText(requirement),
    }));
}
