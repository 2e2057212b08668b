// Filters that are nearly a value of a record, and what they must not find, or still have to.
import { PAGE_SIZE, type Window } from "../archive/window.ts";
import { impossible, toMatchKey } from "../archive/records.ts";
import type { JsonObject } from "../answer.ts";
import type { Check } from "./check.ts";
import { findRarest, selectEqual } from "./filter-values.ts";
import { FAMILIES, type Family, filterBy, proveExact, proveMatches } from "./filters.ts";

export const nearMisses: Check = {
  about: "filters that are nearly a value",
  proves: ["filter.exact", "filter.named", "count.total"],
  run: async ({ run, sample: { window } }) => {
    if (window?.isWhole !== true) return;
    const cells = FAMILIES.flatMap(({ operation, fields }) =>
      listFilters(window, fields).map((filter) => ({ operation, filter })),
    );
    await Promise.all(
      cells.map(async ({ operation, filter }) => {
        const answer = await filterBy(run, window, { operation, filter });
        // An integer has no other lawful reading than its value.
        if ("talk_time" in filter) proveMatches(run, "filter.named", { answer, filter });
        proveExact(run, { answer, filter }, selectEqual(window.records, filter));
      }),
    );
  },
};

function listFilters({ records }: Window, fields: Family["fields"]): readonly JsonObject[] {
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
    // What ends a text in many a query language.
    ...(fields.includes("agent_name") ? [{ agent_name: `O'${impossible()}` }] : []),
    ...(plain === undefined
      ? []
      : ["%", "*"].map((wildcard) => ({ [plain.field]: `${half}${wildcard}` }))),
    ...(fields.includes("talk_time") ? [{ talk_time: 0 }] : []),
    ...pickChanged(records, texts, withoutMarks),
    ...pickChanged(records, texts, inOtherCase),
  ];
}

// Of less there is no half.
const SHORTEST_TEXT = 4;
const LAST_OF_ASCII = "\u007f";

/** The first value that the change makes another one of. */
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

/** In capitals, where a letter beyond ASCII changes with them and D08 has the two be equal. */
function inOtherCase(text: string, field: string): string {
  const upper = text.toUpperCase();
  const isBeyond = Array.from(text).some(
    (letter) => letter > LAST_OF_ASCII && letter.toUpperCase() !== letter.toLowerCase(),
  );
  return isBeyond && toMatchKey(field, upper) === toMatchKey(field, text) ? upper : text;
}
