// The entry point `@call-media/client/query`: operations as options for TanStack Query, which is not a dependency.
import type { DescribedOperations } from "@call-media/api";
import { operationIds } from "@call-media/api/operation-ids";

import type { OperationMethods } from "../call/methods.ts";

export type { OperationMethods } from "../call/methods.ts";

/** Operations whose results can be cached: neither bytes nor the sign-in. */
type Cached = Exclude<keyof DescribedOperations, "createToken" | `stream${string}`>;

/** The options that `useQuery`, `useSuspenseQuery`, `prefetchQuery` and others accept. */
export interface QueryOptions<Id extends Cached> {
  /** Begins with `call-media` and the operation, so that `invalidateQueries` can name either. */
  readonly queryKey: readonly ["call-media", Id, object];
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<DescribedOperations[Id]>;
  /** The client has already retried. */
  readonly retry: false;
}

/** The options of each operation, by its parameters. */
export type Queries = {
  readonly [Id in Cached]: (...request: Parameters<OperationMethods[Id]>) => QueryOptions<Id>;
};

/**
 * Creates options for TanStack Query from the operations of a client. A query without observers aborts its request.
 *
 * @example
 * ```ts
 * const queries = createQueries(client);
 * const { data } = useSuspenseQuery(queries.getMetadataByCallId({ call_id }));
 * ```
 */
export function createQueries(client: OperationMethods): Queries {
  const entries = Object.values(operationIds).map((id) => [
    id,
    (request: object = {}) => ({
      queryKey: ["call-media", id, request],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        (client[id] as (request: object) => Promise<unknown>)({ ...request, signal }),
      retry: false,
    }),
  ]);
  return Object.fromEntries(entries) as Queries;
}
