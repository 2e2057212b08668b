// What the package repeats of the contract, which a page need not load for it.
import { fieldsOf, routes } from "@call-media/api";
import { expect, test } from "vitest";
import { MAX_PART } from "@call-media/client";
import { RECORD_FIELDS } from "../src/index.ts";

test("the fields of a record are those of the contract, in its order", () => {
  expect(RECORD_FIELDS).toEqual(fieldsOf("MetadataRecord"));
});

test("the greatest number of a recording is that of the contract", () => {
  const operation = routes.find(({ operationId }) => operationId === "streamRecordingByCallId");
  const part = operation?.parameters.find(({ name }) => name === "part");
  expect(MAX_PART).toBe(part?.schema.maximum);
});
