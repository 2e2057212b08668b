// Types of the arguments and results of the fifteen calls, derived from the contract.
import type { paths } from "@call-media/api";

import type { CallOptions } from "../options.ts";

type Method = "get" | "post";

/** Paths of the contract that have the method. */
export type PathWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never;
}[keyof paths];

/** Allows undefined for optional properties, also with `exactOptionalPropertyTypes`. */
export type AllowUndefined<Given> = {
  [Name in keyof Given]: Given[Name] | (object extends Pick<Given, Name> ? undefined : never);
};

/** The parameters of one kind that an operation has; none: an empty object. */
export type PartOf<Op, Part extends string> = Op extends { parameters: infer Given }
  ? Part extends keyof Given
    ? [NonNullable<Given[Part]>] extends [never]
      ? object
      : NonNullable<Given[Part]>
    : object
  : object;

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

/** Second argument of a call. */
type Init<Op> = ParametersInit<ParametersOf<Op>> & BodyInit<Op> & AnswerInit<Op> & CallOptions;

/**
 * The arguments after the path; none are needed if everything is optional. They are derived for each operation, so that
 * the compiler reports a misspelt path as such, and not as a missing argument.
 */
type InitArguments<Op> = Op extends unknown
  ? object extends Init<Op>
    ? [init?: Init<Op>]
    : [init: Init<Op>]
  : never;

/** `data` of an operation's success. */
export type OutputOf<Op> =
  ContentOf<Op> extends { "application/json": infer Body } ? Body : ReadableStream<Uint8Array>;

/**
 * The arguments of `GET` or `POST` after the path, for functions that wrap them.
 *
 * @example
 * ```ts
 * const get = <P extends PathWith<"get">>(path: P, ...init: InitOf<"get", P>) => client.GET(path, ...init);
 * ```
 */
export type InitOf<M extends Method, P extends PathWith<M>> = InitArguments<paths[P][M]>;

/** `data` of what `GET` or `POST` returns for a path. */
export type DataOf<M extends Method, P extends PathWith<M>> = OutputOf<paths[P][M]>;
