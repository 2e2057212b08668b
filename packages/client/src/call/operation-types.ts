// Types of the arguments and results of the fifteen calls, derived from the contract.
import type { paths } from "@call-media/api";

import type { CallLimits } from "../options.ts";

type Method = "get" | "post";

/** Paths of the contract that have the method. */
export type PathWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never;
}[keyof paths];

/** With `exactOptionalPropertyTypes` too, what may be left out may be undefined. */
export type AllowUndefined<Given> = {
  [Name in keyof Given]: Given[Name] | (object extends Pick<Given, Name> ? undefined : never);
};

/** `path`, `query` and `header` of an operation, those it has. */
type ParametersOf<Op> = Op extends { parameters: infer Given }
  ? {
      [
        Part in keyof Given as [NonNullable<Given[Part]>] extends [never] ? never : Part
      ]: AllowUndefined<Given[Part]>;
    }
  : never;

type ParametersInit<Given> = [keyof Given] extends [never]
  ? { readonly params?: undefined }
  : object extends Given
    ? { readonly params?: Given | undefined }
    : { readonly params: Given };

type BodyInit<Op> = Op extends { requestBody: { content: { "application/json": infer Body } } }
  ? { readonly body: AllowUndefined<Body> }
  : { readonly body?: undefined };

type ContentOf<Op> = Op extends { responses: { 200: { content: infer Content } } }
  ? Content
  : never;

type AnswerInit<Op> =
  ContentOf<Op> extends { "application/json": unknown }
    ? { readonly parseAs?: undefined }
    : { readonly parseAs: "stream" };

/** Second argument of a call. Its limits replace those of the client. */
type InitOf<Op> = ParametersInit<ParametersOf<Op>> &
  BodyInit<Op> &
  AnswerInit<Op> &
  CallLimits & {
    /** Stops the call, which then fails with an AbortError. */
    readonly signal?: AbortSignal | undefined;
    /** Further headers. `Authorization` is always the client's own. */
    readonly headers?: Readonly<Record<string, string>> | undefined;
  };

/**
 * The arguments after the path; none are needed if everything is optional. They are derived for each operation, so that
 * the compiler reports a misspelt path as such, and not as a missing argument.
 */
export type InitArguments<Op> = Op extends unknown
  ? object extends InitOf<Op>
    ? [init?: InitOf<Op>]
    : [init: InitOf<Op>]
  : never;

/** `data` of the result. */
export type DataOf<Op> =
  ContentOf<Op> extends { "application/json": infer Body } ? Body : ReadableStream<Uint8Array>;
