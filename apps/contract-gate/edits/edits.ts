// All labelled edits, each under an id of its own.
import { operationEdits } from "./operations.ts";
import { requestEdits } from "./requests.ts";
import { responseEdits } from "./responses.ts";
import type { LabelledEdit } from "./labelled-edit.ts";

export const edits: readonly LabelledEdit[] = [
  ...operationEdits,
  ...requestEdits,
  ...responseEdits,
];
