// The schema of mapping files for editors: it has the keys that a mapping may have and the fields of the contract, no other.
import { readFile } from "node:fs/promises";
import { document } from "@call-media/api";
import { expect, test } from "vitest";
import { KEYS, TABLE_KEYS } from "../src/formats/mapping/mapping.ts";
import { RULE_KEYS } from "../src/formats/mapping/rule.ts";

interface Schema {
  readonly properties: Record<string, Schema>;
  readonly propertyNames: { readonly enum: readonly string[] };
  readonly $defs: Record<string, Schema>;
}

const text = await readFile(new URL("../mapping.schema.json", import.meta.url), "utf8");
const schema = JSON.parse(text) as Schema; // the package's own file

const toNames = (given: Schema | undefined) => Object.keys(given?.properties ?? {}).toSorted();

test("its keys are those of the language, its fields those of the contract", () => {
  const { properties, $defs } = schema;
  expect(toNames(schema)).toEqual(KEYS.toSorted());
  expect(toNames(properties["table"])).toEqual(TABLE_KEYS.toSorted());
  expect(toNames($defs["object"])).toEqual(RULE_KEYS.toSorted());
  const { MetadataRecord, ChatMessageRecord } = document.components.schemas;
  const fields = [MetadataRecord, ChatMessageRecord].flatMap((one) =>
    Object.keys(one?.properties ?? {}),
  );
  expect(properties["fields"]?.propertyNames.enum).toEqual(
    [...new Set([...fields, "session_id", "master_id", "revised"])].toSorted(),
  );
});
