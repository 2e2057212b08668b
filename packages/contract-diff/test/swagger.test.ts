// Files in Swagger 2.0 are read as OpenAPI 3.0; what is said of them has the lines of the file.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { compareDocuments } from "../src/index.ts";
import { readOpenApiFile } from "../src/files/index.ts";

async function read(text: string) {
  const folder = await mkdtemp(join(tmpdir(), "swagger-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "swagger.yaml");
  await writeFile(file, text);
  return readOpenApiFile(file);
}

const HEAD = 'swagger: "2.0"\ninfo: { title: Shelves, version: "1" }\nbasePath: /v1\n';
const SHELVES = `${HEAD}produces: [application/json]
parameters:
  size: { name: size, in: query, type: integer, maximum: 50 }
paths:
  /shelves:
    get:
      parameters:
        - $ref: "#/parameters/size"
        - { name: tags, in: query, type: array, items: { type: string }, collectionFormat: multi }
      responses:
        200:
          description: all
          schema: { type: array, items: { $ref: "#/definitions/Shelf" } }
    post:
      parameters:
        - { name: shelf, in: body, required: true, schema: { $ref: "#/definitions/Shelf" } }
      responses: { 201: { description: made } }
  /shelves/{id}/plan:
    put:
      consumes: [multipart/form-data]
      parameters: [{ name: plan, in: formData, type: file, required: true }]
      responses: { 204: { description: kept } }
definitions:
  Shelf:
    type: object
    properties: { room: { type: string, x-nullable: true } }
`;

test("parameters, bodies, forms, files and null", async () => {
  const { document, isConverted } = await read(SHELVES);
  expect(isConverted).toBe(true);
  const shelf = { $ref: "#/components/schemas/Shelf" };
  expect(document).toMatchObject({
    openapi: expect.stringMatching(/^3\.0\./),
    servers: [{ url: "/v1" }],
    components: {
      parameters: { size: { schema: { type: "integer", maximum: 50 } } },
      schemas: { Shelf: { properties: { room: { type: "string", nullable: true } } } },
    },
    paths: {
      "/shelves": {
        get: {
          parameters: [
            { $ref: "#/components/parameters/size" },
            { name: "tags", style: "form", explode: true, schema: { type: "array" } },
          ],
          responses: { 200: { content: { "application/json": { schema: { items: shelf } } } } },
        },
        post: { requestBody: { content: { "application/json": { schema: shelf } } } },
      },
      "/shelves/{id}/plan": {
        put: {
          requestBody: {
            content: {
              "multipart/form-data": {
                schema: { properties: { plan: { type: "string", format: "binary" } } },
              },
            },
          },
        },
      },
    },
  });
});

test("lines are those of the file", async () => {
  const { placeOf } = await read(SHELVES);
  const lineOf = (pointer: string) => placeOf(pointer).line;
  const lines = SHELVES.split("\n");
  const told = [
    ["#/components/schemas/Shelf/properties/room", "room:"],
    ["#/components/parameters/size", "size:"],
    [
      "#/paths/~1shelves/get/responses/200/content/application~1json/schema",
      "schema: { type: array",
    ],
  ] as const;
  for (const [pointer, text] of told) expect(lines[lineOf(pointer) - 1]).toContain(text);
  expect(lines[lineOf("#/paths/~1shelves/post/requestBody") - 1]).toContain("parameters:");
});

test("a version without quotes, and two files that are compared", async () => {
  const plain = await read(SHELVES.replace('"2.0"', "2.0"));
  const { document } = await read(SHELVES.replace("x-nullable: true", "x-nullable: false"));
  expect(compareDocuments(plain.document, document)).toHaveLength(1);
});

test("what cannot be converted says so, and what to do", async () => {
  const odd = SHELVES.replace("in: formData, ", "");
  await expect(read(odd)).rejects.toThrow(
    /swagger\.yaml is Swagger 2\.0 and cannot be read as OpenAPI 3\.0: .+\. Convert it to OpenAPI 3/,
  );
});
