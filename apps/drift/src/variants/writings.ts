// Variants that serialize the same JSON differently.
import { gzipSync } from "node:zlib";
import { withBody, withHeaders } from "../edits/answers.ts";
import type { Answer } from "../exchange.ts";
import { type Variant, toVariants } from "./variant.ts";

function isJson({ headers, body }: Answer): boolean {
  return body.length > 0 && (headers["content-type"]?.startsWith("application/json") ?? false);
}

export const writings: readonly Variant[] = [
  ...toVariants("D12", {
    "json-in-lines": [
      "every",
      "JSON is written in lines, with spaces",
      (answer) =>
        isJson(answer)
          ? withBody(answer, `${JSON.stringify(JSON.parse(answer.body.toString()), null, 2)}\n`)
          : answer,
    ],
  }),
  {
    id: "json-compressed",
    decision: "D12",
    operation: "every",
    says: "JSON is compressed for whom takes gzip",
    // Another proxy could not read it.
    standsAlone: true,
    mutate: (answer, request) => {
      const isWanted = request.headers["accept-encoding"]?.includes("gzip") ?? false;
      if (!isWanted || !isJson(answer)) return answer;
      const compressed = withBody(answer, gzipSync(answer.body));
      return withHeaders(compressed, { "content-encoding": "gzip", vary: "Accept-Encoding" });
    },
  },
];
