// Identifiers of calls: they must be found again as they are read, by people and in the path of a URL.
import { RowFault } from "../source-row.ts";

// People do not see them, nor type them: a call_id with one would never be found. Spaces are seen where they stand.
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]|[^\P{Cc}\s]/u;

// As segments of a path they lead to another one, however they are encoded (https://url.spec.whatwg.org, section 4.1).
const DOTS: ReadonlySet<string> = new Set([".", ".."]);

/** Throws `RowFault`, naming `field`. */
export function checkIdentifier(field: string, value: string | null | undefined): void {
  if (value === null || value === undefined) return;
  const [invisible] = INVISIBLE.exec(value) ?? [];
  if (invisible !== undefined)
    throw new RowFault(
      `${field}: has an invisible character, ${toCodePoint(invisible)}, by which nobody would find it: remove it in the source`,
    );
  if (DOTS.has(value))
    throw new RowFault(
      `${field}: "${value}" cannot stand in the path of a URL, so that nobody could ask for it: give the call another one`,
    );
}

const toCodePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
