// All labelled edits, each under an id of its own.
import { answerEdits } from "./answers.ts";
import { bodyEdits } from "./bodies.ts";
import { fieldEdits } from "./fields.ts";
import { operationEdits } from "./operations.ts";
import { parameterEdits } from "./parameters.ts";
import type { LabelledEdit } from "./labelled-edit.ts";

export const edits: readonly LabelledEdit[] = [
  ...operationEdits,
  ...parameterEdits,
  ...bodyEdits,
  ...answerEdits,
  ...fieldEdits,
];
