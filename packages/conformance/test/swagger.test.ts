// A document in Swagger 2.0 is checked like any other, and the report says how it was read.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checkApi, loadDocument, loadRelations } from "../src/index.ts";
import { serve, things } from "./foreign/things.ts";
import { TOKEN, toFetch } from "./styles.ts";

const SWAGGER = `
swagger: 2.0
info: { title: Things, version: "1" }
basePath: /v1
produces: [application/json]
securityDefinitions: { key: { type: apiKey, name: Authorization, in: header } }
security: [{ key: [] }]
paths:
  /things:
    get:
      operationId: listThings
      responses:
        200:
          description: all
          schema: { type: object, properties: { items: { type: array, items: { $ref: "#/definitions/Thing" } } } }
  /things/{id}:
    get:
      operationId: getThing
      parameters: [{ name: id, in: path, required: true, type: string }]
      responses:
        200: { description: one, schema: { $ref: "#/definitions/Thing" } }
        404: { description: none }
definitions:
  Thing:
    type: object
    required: [id, name]
    properties: { id: { type: string }, name: { type: string } }
`;

test("Swagger 2.0: kept with a note, and a renamed field is found", async () => {
  const folder = await mkdtemp(join(tmpdir(), "swagger-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "swagger.yaml");
  await writeFile(file, SWAGGER);
  const document = await loadDocument(file);
  const relations = await loadRelations(document);
  const run = (name: string) =>
    checkApi({
      document,
      relations,
      target: {
        baseUrl: "http://styles.test",
        first: { headers: { Authorization: `Bearer ${TOKEN}` } },
        fetch: toFetch(
          serve({ things: things("t").map(({ id, name: text }) => ({ id, [name]: text })) }),
        ),
      },
    });
  const { verdict, reason, findings, notes } = await run("name");
  expect({ verdict, reason, findings }).toEqual({ verdict: "kept", findings: [] });
  expect(notes.map(({ text }) => text)).toEqual([
    "the document is Swagger 2.0 and is read as OpenAPI 3.0",
  ]);
  const [finding] = (await run("title")).findings;
  expect(finding).toMatchObject({ requirement: "answer.schema", place: { file } });
});
