// When a value of a row matches another one, in the ways that an owner can name.
import { toText } from "../values/places.ts";

/** Without regard to case and outer spaces. */
export const fold = (value: unknown): string => toText(value).trim().toLowerCase();

const toDigits = (value: unknown): string => toText(value).replaceAll(/\D/g, "");

const WAYS: Readonly<Record<string, (value: unknown, asked: unknown) => boolean>> = {
  folded: (value, asked) => fold(value) === fold(asked),
  digits: (value, asked) => toDigits(value) === toDigits(asked),
  contains: (value, asked) => fold(value).includes(fold(asked)),
  prefix: (value, asked) => fold(value).startsWith(fold(asked)),
  suffix: (value, asked) => fold(asked) !== "" && fold(value).endsWith(fold(asked)),
};

/** The test of a way; exactly equal texts if there is none of that name. */
export const matchBy = (way: string | undefined): ((value: unknown, asked: unknown) => boolean) =>
  WAYS[way ?? ""] ?? ((value, asked) => toText(value) === toText(asked));
