// The input and output of an operation, as types made from the contract.
import type { components, operations } from "../generated/schema.ts";

/** Identifier of one of the 15 operations. */
export type OperationId = keyof operations;

/** A component schema by name, for example `Schema<'MetadataRecord'>`. */
export type Schema<Name extends keyof components["schemas"]> = components["schemas"][Name];

interface Parts<Id extends OperationId> {
  path: NonNullable<operations[Id]["parameters"]["path"]>;
  query: NonNullable<operations[Id]["parameters"]["query"]>;
  header: NonNullable<operations[Id]["parameters"]["header"]>;
  body: operations[Id] extends { requestBody: { content: { "application/json": infer Body } } }
    ? Body
    : never;
}

/**
 * The parsed input of an operation: `path`, `query`, `header` and `body`, as far as the operation has them. Header
 * names are spelled as in the contract.
 */
export type OperationInput<Id extends OperationId> = {
  [Part in keyof Parts<Id> as [Parts<Id>[Part]] extends [never] ? never : Part]: Parts<Id>[Part];
};

/** The JSON body of an operation's 200; `never` for the two recording streams. */
export type OperationOutput<Id extends OperationId> = operations[Id]["responses"][200] extends {
  content: { "application/json": infer Body };
}
  ? Body
  : never;
