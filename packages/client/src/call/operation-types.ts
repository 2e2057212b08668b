// What each of the fifteen calls takes and gives, derived from the contract. Types alone.
import type { paths } from "@call-media/api";

type Method = "get" | "post";

/** Paths of the contract that have the method. */
export type PathWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never;
}[keyof paths];

/** `path`, `query` and `header` of an operation, those it has. */
type ParametersOf<Op> = Op extends { parameters: infer Given }
  ? {
      [
        Part in keyof Given as [NonNullable<Given[Part]>] extends [never] ? never : Part
      ]: Given[Part];
    }
  : never;

type ParametersInit<Given> = [keyof Given] extends [never]
  ? { readonly params?: never }
  : object extends Given
    ? { readonly params?: Given }
    : { readonly params: Given };

type BodyInit<Op> = Op extends { requestBody: { content: { "application/json": infer Body } } }
  ? { readonly body: Body }
  : { readonly body?: never };

type ContentOf<Op> = Op extends { responses: { 200: { content: infer Content } } }
  ? Content
  : never;

type AnswerInit<Op> =
  ContentOf<Op> extends { "application/json": unknown }
    ? { readonly parseAs?: never }
    : { readonly parseAs: "stream" };

/** What the call of an operation takes besides its path. */
type InitOf<Op> = ParametersInit<ParametersOf<Op>> &
  BodyInit<Op> &
  AnswerInit<Op> & {
    /** Stops the call; it then fails with an AbortError. */
    readonly signal?: AbortSignal | undefined;
    /** Further headers. `Authorization` is always the client's own. */
    readonly headers?: Readonly<Record<string, string>> | undefined;
  };

/**
 * The arguments after the path; none are needed where everything is optional. Worked out for each operation alone: of a
 * path that is misspelt the compiler then says so, and not that an argument is missing.
 */
export type InitArguments<Op> = Op extends unknown
  ? object extends InitOf<Op>
    ? [init?: InitOf<Op>]
    : [init: InitOf<Op>]
  : never;

/** What the call of an operation gives as `data`. */
export type DataOf<Op> =
  ContentOf<Op> extends { "application/json": infer Body } ? Body : ReadableStream<Uint8Array>;
