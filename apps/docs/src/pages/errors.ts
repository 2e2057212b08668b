// Generates the catalogue of errors: every error response of the contract by status, with its messages.
import { STATUS_CODES } from "node:http";
import { routes, type Schema } from "@call-media/api";
import { ERRORS } from "@call-media/service/errors";

interface Refusal {
  readonly status: string;
  readonly operationId: string;
  readonly description: string;
  readonly headers: readonly string[];
  readonly examples: readonly Example[];
}

interface Example {
  readonly code: string;
  readonly sentence: string;
}

/** The page in Markdown. */
export async function writeErrors(): Promise<string> {
  const byStatus = Object.groupBy(listRefusals(), ({ status }) => status);
  const parts = Object.entries(byStatus).map(([status, found = []]) => writeStatus(status, found));
  return `# Errors

Each status that the service answers errors with, what it means, and the sentences that it puts into \`errorMessage\` of the
[envelope](../../spec/DECISIONS.md#d13-body-of-errors). Names and numbers in them are examples. A program should decide by the
status, or by the stable code in \`X-Error-Code\`; what the client throws is in [its README](../../packages/client/README.md#errors).

Some statuses can be the answer to any request: see "Errors" at the top of the [reference](reference.html), and
[D12](../../spec/DECISIONS.md#d12-statuses-of-errors).

<div class="errors">

${parts.join("\n\n")}

## All codes

New codes may be added. Treat one that you do not know as its status.

| X-Error-Code | status | meaning |
| --- | --- | --- |
${Object.entries(ERRORS)
  .map(([code, { status, means }]) => `| \`${code}\` | ${status} | ${escape(means)} |`)
  .join("\n")}

</div>
`;
}

function listRefusals(): readonly Refusal[] {
  return routes.flatMap(({ operationId, responses }) =>
    Object.entries(responses)
      .filter(([status]) => Number(status) >= 400)
      .map(([status, { description, headers = {}, content }]) => ({
        status,
        operationId,
        description,
        headers: Object.keys(headers),
        examples: Object.entries(content?.["application/json"]?.examples ?? {}).map(
          ([name, { value }]) => ({
            code: String(headers["X-Error-Code"]?.examples?.[name]?.value),
            // Every error response has this form (D13).
            sentence: (value as Schema<"ErrorEnvelope">).errorMessage,
          }),
        ),
      })),
  );
}

function writeStatus(status: string, refusals: readonly Refusal[]): string {
  const sentences = new Map(
    refusals.flatMap(({ examples }) => examples.map(({ sentence, code }) => [sentence, code])),
  );
  const rows = [...sentences].map(([sentence, code]) => {
    const by = refusals.filter(({ examples }) =>
      examples.some((example) => example.sentence === sentence),
    );
    return `| \`${code}\` | ${escape(sentence)} | ${writeOperations(by)} |`;
  });
  const descriptions = new Set(refusals.map(({ description }) => oneLine(description)));
  const headers = new Set(refusals.flatMap((refusal) => refusal.headers));
  return `## ${status} ${STATUS_CODES[status] ?? ""}

${[...descriptions].map((text) => `- ${text}`).join("\n")}

| X-Error-Code | errorMessage | operations |
| --- | --- | --- |
${rows.join("\n")}

Headers: ${[...headers].map((name) => `\`${name}\``).join(", ")}.`;
}

function writeOperations(refusals: readonly Refusal[]): string {
  const ids = refusals.map(({ operationId }) => operationId);
  if (ids.length === routes.length) return "all";
  const without = routes.filter(({ operationId }) => !ids.includes(operationId));
  if (without.length <= 2) return `all but ${without.map(writeLink).join(" and ")}`;
  return routes
    .filter(({ operationId }) => ids.includes(operationId))
    .map(writeLink)
    .join(", ");
}

/** A link to an operation in the reference, whose anchors are in lower case. */
function writeLink({ tag, operationId }: { tag: string; operationId: string }): string {
  return `[${operationId}](reference.html#/${tag.toLowerCase()}/${operationId.toLowerCase()})`;
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

const escape = (text: string): string => oneLine(text).replaceAll(/[|<*_`[\]]/g, String.raw`\$&`);
