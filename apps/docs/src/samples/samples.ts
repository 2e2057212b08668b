// The examples of the reference: each operation with curl, in TypeScript and on the command line.
import {
  document as contract,
  type OpenApiDocument,
  type OperationId,
  routes,
} from "@call-media/api";
import { writeCommand } from "./command-line.ts";
import { writeCurl } from "./curl.ts";
import { toExampleInput } from "./example-input.ts";
import { writeTypeScript } from "./typescript.ts";

/** An entry of the OpenAPI extension x-codeSamples. */
export interface CodeSample {
  readonly lang: "Shell" | "TypeScript";
  readonly label: string;
  readonly source: string;
}

/** Every operation with its examples. */
export const samples: ReadonlyMap<OperationId, readonly CodeSample[]> = new Map(
  routes.map((route) => {
    const input = toExampleInput(route);
    return [
      route.operationId,
      [
        { lang: "Shell", label: "curl", source: writeCurl(route, input) },
        { lang: "TypeScript", label: "TypeScript", source: writeTypeScript(route, input) },
        { lang: "Shell", label: "call-media", source: writeCommand(route.operationId, input) },
      ],
    ];
  }),
);

/** The contract including the examples. */
export function withSamples(): OpenApiDocument {
  const paths = Object.entries(contract.paths).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(item).map(([method, operation]) => {
        // The ids in the document are the members of the type.
        const found = samples.get(operation.operationId as OperationId);
        return [method, { ...operation, "x-codeSamples": found }];
      }),
    ),
  ]);
  return { ...contract, paths: Object.fromEntries(paths) };
}
