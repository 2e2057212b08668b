// The one door of the contract as code. The types cost nothing at run time; a program that uses
// only them does not load the document.
export type * from "../generated/described-operations.ts";
export type { components, operations, paths } from "../generated/schema.ts";
export type { OperationId, OperationInput, OperationOutput, Schema } from "./operations.ts";
export type {
  HeaderObject,
  MediaTypeObject,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  ResponseObject,
  SchemaObject,
} from "./document.ts";
export type { ServiceProfile } from "./profile.ts";
export { document } from "./document.ts";
export { recordRights } from "./record-rights.ts";
export type { RecordRight } from "./record-rights.ts";
export { fieldsOf, routes } from "./routes.ts";
export type { Route } from "./routes.ts";
