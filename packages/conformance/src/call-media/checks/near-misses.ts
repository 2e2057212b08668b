// Filters that are almost a value of a record, and what they must not find or must still find.
import { PAGE_SIZE, type Window } from "../archive/window.ts";
import { impossible, toMatchKey } from "../archive/records.ts";
import type { JsonObject } from "@call-media/contract-diff";
import type { Run } from "../run.ts";
import type { Check } from "./check.ts";
import { findRarest, selectEqual } from "./filter-values.ts";
import { FAMILIES, type Family, filterBy, proveExact, proveMatches } from "./filters.ts";

export const nearMisses: Check = {
  about: "filters that are nearly a value",
  proves: ["filter.exact", "filter.named", "count.total"],
  cost: 20,
  run: async ({ run, sample: { window } }) => {
    if (window?.isWhole !== true) return;
    const cells = FAMILIES.flatMap(({ operation, fields }) =>
      listFilters(run, window, fields).map((filter) => ({ operation, filter })),
    );
    await Promise.all(
      cells.map(async ({ operation, filter }) => {
        const answer = await filterBy(run, window, { operation, filter });
        // An integer can only mean its value.
        if ("talk_time" in filter) proveMatches(run, "filter.named", { answer, filter });
        proveExact(run, { answer, filter }, selectEqual(window.records, filter));
      }),
    );
  },
};

function listFilters(
  run: Run,
  { records }: Window,
  fields: Family["fields"],
): readonly JsonObject[] {
  const texts = fields.filter((field) => !/^phone|_time$/.test(field));
  const values = texts.flatMap((field) => {
    const { value, count = 0 } = findRarest(records, field) ?? {};
    return typeof value === "string" && count <= PAGE_SIZE ? [{ field, value }] : [];
  });
  const plain = values.find(({ value }) => value.length >= SHORTEST_TEXT);
  const half = plain?.value.slice(0, Math.ceil(plain.value.length / 2));
  const [empty = "custom_field_1"] = texts;
  return [
    { [empty]: "" },
    // Ends a string literal in many query languages.
    ...(fields.includes("agent_name") ? [{ agent_name: `O'${impossible(run)}` }] : []),
    ...(plain === undefined
      ? []
      : ["%", "*"].map((wildcard) => ({ [plain.field]: `${half}${wildcard}` }))),
    ...(fields.includes("talk_time") ? [{ talk_time: 0 }] : []),
    ...pickChanged(records, texts, withoutMarks),
    ...pickChanged(records, texts, inOtherCase),
  ];
}

// A shorter text cannot be halved.
const SHORTEST_TEXT = 4;
const LAST_OF_ASCII = "\u007f";

/** The first value that the change alters. */
function pickChanged(
  records: readonly JsonObject[],
  fields: readonly string[],
  change: (text: string, field: string) => string,
): readonly JsonObject[] {
  for (const field of fields)
    for (const { [field]: value } of records) {
      if (typeof value !== "string") continue;
      const changed = change(value, field);
      if (changed !== value) return [{ [field]: changed }];
    }
  return [];
}

function withoutMarks(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").normalize("NFC");
}

/** In capitals, if that changes a letter beyond ASCII and D08 treats the two as equal. */
function inOtherCase(text: string, field: string): string {
  const upper = text.toUpperCase();
  const isBeyond = Array.from(text).some(
    (letter) => letter > LAST_OF_ASCII && letter.toUpperCase() !== letter.toLowerCase(),
  );
  return isBeyond && toMatchKey(field, upper) === toMatchKey(field, text) ? upper : text;
}
