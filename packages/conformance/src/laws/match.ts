// The ways in which a row's value can match another one, by the names that relations use.
import { toText } from "../values/places.ts";

/** Ignores case, and leading and trailing whitespace. */
export const fold = (value: unknown): string => toText(value).trim().toLowerCase();

const toDigits = (value: unknown): string => toText(value).replaceAll(/\D/g, "");

const WAYS: Readonly<Record<string, (value: unknown, asked: unknown) => boolean>> = {
  folded: (value, asked) => fold(value) === fold(asked),
  digits: (value, asked) => toDigits(value) === toDigits(asked),
  contains: (value, asked) => fold(value).includes(fold(asked)),
  prefix: (value, asked) => fold(value).startsWith(fold(asked)),
  suffix: (value, asked) => fold(asked) !== "" && fold(value).endsWith(fold(asked)),
};

/** The test by this name. Without a known name: equality as text. */
export const matchBy = (way: string | undefined): ((value: unknown, asked: unknown) => boolean) =>
  WAYS[way ?? ""] ?? ((value, asked) => toText(value) === toText(asked));
