// Fields that only one side writes: the other side need not send them even if they are required, wherever the document marks them.
import { expect, test } from "vitest";
import { fields, operation, TEXT, toDocument } from "./styles.ts";

const refer = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const { schemas } = toDocument(
  { "/account": { get: operation("getAccount", { 200: refer("Plain") }) } },
  {
    components: {
      schemas: {
        Plain: TEXT,
        Secret: { ...TEXT, writeOnly: true },
        Link: { ...TEXT, readOnly: true },
        Renamed: refer("Secret"),
        Endless: { allOf: [refer("Endless")] },
        ...Object.fromEntries(
          Object.entries({
            here: { ...TEXT, writeOnly: true },
            referred: refer("Secret"),
            renamed: refer("Renamed"),
            part: { allOf: [refer("Secret"), { description: "Shown once." }] },
            plain: refer("Plain"),
            choice: { anyOf: [refer("Secret"), { type: "integer" }] },
            endless: refer("Endless"),
            link: refer("Link"),
          }).map(([name, field]) => [name, fields({ name: TEXT, field }, ["name", "field"])]),
        ),
      },
    },
  },
);
const faultsOf = (name: string, side: "closed" | "request", value: unknown) =>
  schemas
    .validatorOf(
      `#/components/schemas/${name}`,
      side,
    )(value)
    .map(({ params }) => params["missingProperty"]);

test.each([
  ["at the field", "here"],
  ["at the schema it refers to", "referred"],
  ["two references away", "renamed"],
  ["at a part of it", "part"],
])("an answer may lack a required field that is for writing only: %s", (_place, name) => {
  expect(faultsOf(name, "closed", { name: "a" })).toEqual([]);
  expect(faultsOf(name, "closed", {})).toEqual(["name"]);
  expect(faultsOf(name, "request", { name: "a" })).toEqual(["field"]);
});

test.each([
  ["a plain text", "plain"],
  ["a choice, one of which is for writing only", "choice"],
  ["a schema that consists of itself", "endless"],
  ["a link that is for reading only", "link"],
])("an answer must have a required field: %s", (_about, name) => {
  expect(faultsOf(name, "closed", { name: "a" })).toEqual(["field"]);
});

test("a request may lack a required field whose schema is for reading only", () => {
  expect(faultsOf("link", "request", { name: "a" })).toEqual([]);
});
