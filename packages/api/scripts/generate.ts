// Makes generated/ from the hand-written contract in spec/; with --check it only compares, and fails
// when what is committed is not what the contract gives now.
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";
import type { OpenApiDocument } from "../src/document.ts";
import { toAnswerSchemas } from "./answer-schemas.ts";
import { bundle, ContractFault } from "./bundle.ts";

const generatedFolder = fileURLToPath(new URL("../generated/", import.meta.url));

const banner = `// Generated from spec/openapi.yaml by openapi-typescript: do not edit.
// Command: pnpm generate

`;

/** The identifiers alone, for programs that cannot afford the document. */
function toOperationIds(json: string): string {
  const { paths } = JSON.parse(json) as Pick<OpenApiDocument, "paths">;
  const lines = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, { operationId }]) =>
        `  ${JSON.stringify(`${method.toUpperCase()} ${path}`)}: ${JSON.stringify(operationId)},\n`,
    ),
  );
  return `// Generated from spec/openapi.yaml: do not edit.
// Command: pnpm generate

/** The identifier of each operation, by method and path template. */
export const operationIds = {
${lines.join("")}} as const;
`;
}

/** A literal of all fields: V8 makes such an object at once, in half the time of one that gets its fields in a loop. */
function toRecordMaker(json: string): string {
  const { components }: OpenApiDocument = JSON.parse(json);
  const fields = Object.keys(components.schemas["MetadataRecord"]?.properties ?? {});
  const lines = fields.map((field, place) => `  ${JSON.stringify(field)}: values[${place}],\n`);
  return `// Generated from spec/openapi.yaml: do not edit.
// Command: pnpm generate
import type { components } from "./schema.ts";

type MetadataRecord = components["schemas"]["MetadataRecord"];

/** The record whose fields have these values: one for each field, in the order of the contract, and of its type. */
export const toMetadataRecord = (values: readonly MetadataRecord[keyof MetadataRecord][]) => ({
${lines.join("")}}) as MetadataRecord;
`;
}

/** The parts of the document that name what operations return. */
interface Described {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly operationId: string;
            readonly summary: string;
            readonly description?: string;
            readonly responses: Readonly<Record<string, unknown>>;
          }
        >
      >
    >
  >;
  readonly components: {
    readonly schemas: OpenApiDocument["components"]["schemas"];
    readonly responses: Readonly<Record<string, unknown>>;
  };
}

/** What each operation returns. Editors show a type under its own name only if it is written out, as a mapped type is. */
function toDescribedOperations(json: string): string {
  const { paths, components }: Described = JSON.parse(json);
  const records = new Set<string>();
  const lines = Object.values(paths).flatMap((item) =>
    Object.values(item).map(({ operationId, summary, description = "", responses }) => {
      const output = toOutput(JSON.stringify(responses["200"]), components, records);
      const words = `${summary}. ${description}`.trim().replaceAll(/\s+/g, " ");
      return `  /** ${words} */\n  ${operationId}: ${output};\n`;
    }),
  );
  const types = [...records].map((name) => {
    const { description: words = "" } = Object(components.schemas[name]) as {
      description?: string;
    };
    return `/** ${words.replaceAll(/\s+/g, " ")} */\nexport type ${name} = { [Field in keyof Schema<"${name}">]: Schema<"${name}">[Field] };\n`;
  });
  return `// Generated from spec/openapi.yaml: do not edit.
// Command: pnpm generate
import type { Schema } from "../src/operations.ts";

${types.join("\n")}
/** What each operation returns, with the documentation of the operation. */
export interface DescribedOperations {
${lines.join("")}}
`;
}

/** The type of the result: the records in the envelope, the token, or the bytes. */
function toOutput(
  response: string,
  { responses, schemas }: Described["components"],
  records: Set<string>,
): string {
  const resolved = /"#\/components\/responses\/(\w+)"/.exec(response)?.[1];
  const text = resolved ? JSON.stringify(responses[resolved]) : response;
  const envelope = /"#\/components\/schemas\/(\w+)"/.exec(text)?.[1];
  if (envelope === undefined) return "ReadableStream<Uint8Array>";
  const data = JSON.stringify(schemas[envelope]?.properties?.["data"] ?? "");
  const record = /"#\/components\/schemas\/(\w+)"/.exec(data)?.[1];
  records.add(record ?? envelope);
  return record === undefined ? envelope : record + (data.includes('"array"') ? "[]" : "");
}

async function generate(): Promise<Map<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), "call-media-api-"));
  try {
    const [json, yaml] = await Promise.all([bundle("json", folder), bundle("yaml", folder)]);
    // Given the text, not the file: openapi-typescript then looks for no redocly.yaml.
    const types = astToString(await openapiTS(json));
    return new Map([
      ["answer-schemas.ts", toAnswerSchemas(json)],
      ["described-operations.ts", toDescribedOperations(json)],
      ["metadata-record.ts", toRecordMaker(json)],
      ["openapi.json", json],
      ["openapi.yaml", yaml],
      ["operation-ids.ts", toOperationIds(json)],
      ["schema.ts", banner + types],
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function staleFiles(files: Map<string, string>): Promise<string[]> {
  const stale: string[] = [];
  for (const [name, text] of files) {
    const committed = await readFile(join(generatedFolder, name), "utf8").catch(() => undefined);
    if (committed !== text) stale.push(name);
  }
  return stale;
}

async function check(files: Map<string, string>): Promise<void> {
  const stale = await staleFiles(files);
  if (stale.length === 0) return;
  console.error(
    `packages/api/generated does not fit the contract (${stale.join(", ")}): run pnpm generate and commit`,
  );
  process.exitCode = 1;
}

async function write(files: Map<string, string>): Promise<void> {
  await mkdir(generatedFolder, { recursive: true });
  for (const [name, text] of files) await writeFile(join(generatedFolder, name), text);
}

try {
  const files = await generate();
  await (process.argv.includes("--check") ? check(files) : write(files));
} catch (error) {
  if (!(error instanceof ContractFault)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
