// Small documents with one operation, of which what is sent and what is answered can be said.
import { compareDocuments, greatestOf, type JsonObject } from "../src/index.ts";

/** A document with one operation: what is sent and what is answered. */
export function toDocument(
  sent: JsonObject,
  answered: JsonObject,
  more: JsonObject = {},
): JsonObject {
  const content = (schema: JsonObject) => ({ content: { "application/json": { schema } } });
  return {
    openapi: "3.1.0",
    info: { title: "Archive", version: "1.0.0" },
    paths: {
      "/calls": {
        post: {
          operationId: "findCalls",
          requestBody: content(sent),
          responses: { "200": { description: "Calls.", ...content(answered) } },
        },
      },
    },
    ...more,
  };
}

export const text = { type: "string" };

/** The rating of a change of what is sent, and of the same change of what is answered. */
export function rateBoth(before: JsonObject, after: JsonObject) {
  const sent = compareDocuments(toDocument(before, text), toDocument(after, text));
  const answered = compareDocuments(toDocument(text, before), toDocument(text, after));
  return { sent: greatestOf(sent), answered: greatestOf(answered) };
}

/** The rating of a change of a parameter. */
export function rateParameter(before: JsonObject, after: JsonObject) {
  const withParameter = (more: JsonObject) => {
    const parameters = [{ name: "agent", in: "query", schema: text, ...more }];
    const get = { operationId: "listCalls", parameters, responses: {} };
    return toDocument(text, text, { paths: { "/calls": { get } } });
  };
  return greatestOf(compareDocuments(withParameter(before), withParameter(after)));
}
