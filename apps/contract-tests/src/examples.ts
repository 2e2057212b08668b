// The example responses of the document.
import { type OperationId, type Route, routes } from "@call-media/api";

export interface DocumentedAnswer {
  readonly operation: OperationId;
  readonly route: Route;
  readonly status: string;
  readonly example: string;
  readonly value: unknown;
}

/** Every named example of every status of every operation; for several media types, those of the first. */
export const documentedAnswers: readonly DocumentedAnswer[] = routes.flatMap((route) =>
  Object.entries(route.responses).flatMap(([status, { content = {} }]) =>
    Object.entries(Object.values(content)[0]?.examples ?? {}).map(([example, { value }]) => ({
      operation: route.operationId,
      route,
      status,
      example,
      value,
    })),
  ),
);

/** The first example of a status, which Prism returns by default. */
export function findExample(operation: OperationId, status: string): DocumentedAnswer {
  const found = documentedAnswers.find(
    (answer) => answer.operation === operation && answer.status === status,
  );
  if (found === undefined) throw new Error(`the document has no example of ${operation} ${status}`);
  return found;
}

/** The errorMessage of an error's example. */
export function toErrorMessage({ value }: DocumentedAnswer): string {
  return (value as { errorMessage: string }).errorMessage; // packages/api checks each example against its schema
}
