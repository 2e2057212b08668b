// Client generators other than the project's own: how to run each, and a program that uses its output.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { routes } from "@call-media/api";
import { repository } from "./workspace.ts";

export interface Generator {
  /** The program: installed with packages/api, which has the TypeScript 5 that generators need, or on the PATH. */
  readonly program: string;
  readonly toArguments: (document: string, output: string) => readonly string[];
  /** TypeScript next to the folder `generated`. If it compiles, the generated types are usable. */
  readonly usage?: string;
}

const QUERY = `{ pageIndex: 0, startDate: "2026-03-01", endDate: "2026-03-31" }`;

/** Checks that every operation exists by its id. */
const ALL = `export const all = [${routes.map(({ operationId }) => `sdk.${operationId}`).join(", ")}];`;

export const generators: readonly Generator[] = [
  {
    program: "openapi-ts",
    toArguments: (document, output) => ["-i", document, "-o", output],
    usage: `import * as sdk from "./generated";
      ${ALL}
      export async function listTalkTimes(agent: string): Promise<(number | null)[]> {
        const { data } = await sdk.searchMetadata({ query: ${QUERY}, body: { agent } });
        return data?.data.map(({ talk_time }) => talk_time) ?? [];
      }
      // @ts-expect-error There is no such filter.
      export const wrong = () => sdk.searchMetadata({ query: ${QUERY}, body: { colour: "red" } });
    `,
  },
  {
    program: "orval",
    toArguments: (document, output) => [
      "--input",
      document,
      "--output",
      join(output, "index.ts"),
      "--client",
      "fetch",
    ],
    usage: `import * as sdk from "./generated";
      ${ALL}
      export async function listTalkTimes(agent: string): Promise<(number | null)[]> {
        const answer = await sdk.searchMetadata({ agent }, ${QUERY});
        return answer.status === 200 ? answer.data.data.map(({ talk_time }) => talk_time) : [];
      }
      // @ts-expect-error There is no such filter.
      export const wrong = () => sdk.searchMetadata({ colour: "red" }, ${QUERY});
    `,
  },
  {
    program: "openapi-generator-cli",
    toArguments: (document, output) => [
      "generate",
      "-g",
      "typescript-fetch",
      "-i",
      document,
      "-o",
      output,
    ],
  },
];

/** Path of a generator's program; undefined if it is not installed. */
export function findProgram(name: string): string | undefined {
  const folders = [
    join(repository, "packages/api/node_modules/.bin"),
    ...(process.env["PATH"] ?? "").split(delimiter),
  ];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

const STRICT = ["--strict", "--noEmit", "--skipLibCheck", "--ignoreConfig", "--pretty", "false"];
const BROWSER = ["--target", "es2023", "--lib", "es2023,dom,dom.iterable"];
const BUNDLER = ["--module", "esnext", "--moduleResolution", "bundler"];

/** The faults that strict TypeScript reports for the files; empty without any. */
export async function findTypeFaults(files: readonly string[]): Promise<string> {
  const compiler = join(repository, "node_modules/typescript/bin/tsc");
  const options = [compiler, ...STRICT, ...BROWSER, ...BUNDLER, ...files];
  return promisify(execFile)(process.execPath, options).then(
    () => "",
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
  );
}
