// Bodies with examples of the document: a thing of others may have such a value, and a creation that finds it may return or change it.
import type { ApiDocument, Operation } from "../document/document.ts";
import { bodyFields, mediaOf } from "../values/fields.ts";
import { examplesOf } from "../values/make.ts";
import { listLeaves, toText } from "../values/places.ts";

export function createTold(
  document: ApiDocument,
): (operation: Operation, body: unknown) => boolean {
  const known = new Map<Operation, ReadonlySet<string>>();

  /** All texts and whole numbers in the examples of an operation. */
  const listTold = (operation: Operation): ReadonlySet<string> => {
    const fields = [...bodyFields({ document }, operation).values()];
    const examples = [
      ...(mediaOf(operation)?.examples ?? []),
      ...fields.flatMap((pointer) => examplesOf(document.schemas, pointer)),
    ];
    return new Set(listKeys(examples));
  };

  return (operation, body) => {
    const told = known.get(operation) ?? listTold(operation);
    known.set(operation, told);
    return listKeys(body).some((one) => told.has(one));
  };
}

const listKeys = (value: unknown): readonly string[] =>
  listLeaves(value)
    .filter(([, one]) => typeof one === "string" || Number.isInteger(one))
    .map(([, one]) => toText(one));
