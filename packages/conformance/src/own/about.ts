// Finds the thing that a request acts on: by its path, or by its body if only that names the thing.
import type { JsonObject } from "@call-media/contract-diff";
import { type Ask, fillPath, placeFields } from "../ask.ts";
import type { Creations } from "../creations.ts";
import type { Operation } from "../document/document.ts";
import { isAt, isKey, toItems } from "../items.ts";
import { at } from "../values/places.ts";

export function createAbout({ isNamedInBody, keyNamesOf, targetOf }: Creations) {
  /** Path parameters of the thing that a request acts on, with the key from the body if only that has it. */
  function toPath(operation: Operation, ask: Ask): JsonObject {
    const item = targetOf(operation);
    if (item === undefined || !isNamedInBody(operation)) return ask.path ?? {};
    const { body } = placeFields(ask);
    const key = keyNamesOf(item)
      .map((name) => at(body, name))
      .find(isKey);
    return { ...ask.path, [item.name]: key };
  }

  return {
    toPath,
    /** True if an operation acts on its thing itself, and is not an action below it. */
    isChange: (operation: Operation): boolean =>
      isNamedInBody(operation) || isAt(operation.path, targetOf(operation)?.template ?? ""),
    /** The things in the address of a request, the outermost first. */
    addressesOf: (operation: Operation, ask: Ask): readonly string[] => {
      const target = isNamedInBody(operation) ? targetOf(operation) : undefined;
      const path = toPath(operation, ask);
      return toItems(target?.template ?? operation.path).map(({ template }) =>
        fillPath(template, path),
      );
    },
  };
}
