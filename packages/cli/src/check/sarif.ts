// The report as SARIF 2.1.0, which code hosts show as alerts: one rule per requirement, one result per finding.
import { routes } from "@call-media/api";
import { listRequirements } from "@call-media/conformance";
import { isObject } from "@call-media/contract-diff";
import type { OpenApiFile } from "@call-media/contract-diff/files";
import type {
  Invocation,
  Location,
  ReportingDescriptor,
  Result,
  WebRequest,
  WebResponse,
} from "sarif";
import { toRepositoryUri } from "../reports/repository-file.ts";
import { toSarifLog } from "../reports/sarif-log.ts";
import type { CheckedFinding, CheckedReport } from "./checked-report.ts";
import { toEntryName, toLeftWords, toRecordedLines, toSourceWords } from "./words.ts";

/** `document`: the file of the repository. Each finding is placed at its operation in it. */
export function toSarif(report: CheckedReport, document: OpenApiFile): string {
  const all = [...report.findings, ...report.expected];
  const rules = toRules(report);
  return toSarifLog({
    rules,
    invocation: toInvocation(report),
    results: all.map((finding) => ({
      ...toResult(finding, rules),
      locations: [toLocation(finding, document)],
    })),
  });
}

/** Includes the requirements that were met, so that readers of alerts see what was checked. */
function toRules(report: CheckedReport): ReportingDescriptor[] {
  const { against, findings, expected, kept } = report;
  const stated =
    against === "interface" || against === "decisions" ? listRequirements(against) : [];
  const said = new Map([
    ...(stated.length > 0 ? [] : kept.map((id) => [id, id] as const)),
    ...[...findings, ...expected].map(({ requirement, says }) => [requirement, says] as const),
  ]);
  const others = [...said].filter(([name]) => !stated.some(({ id }) => id === name));
  return [
    ...stated.map(({ id, says, source }) => ({
      id,
      shortDescription: { text: says },
      fullDescription: { text: `Source: ${toSourceWords({ source })}` },
    })),
    ...others.map(([id, says]) => ({ id, shortDescription: { text: says } })),
  ];
}

function toResult(
  finding: CheckedFinding & { readonly reason?: string },
  rules: readonly ReportingDescriptor[],
): Result {
  const { requirement, fingerprint, fault, says, curl, reason } = finding;
  const seen = toRecordedLines(finding).map((line) => `\nSeen: ${line}`);
  return {
    ruleId: requirement,
    ruleIndex: rules.findIndex(({ id }) => id === requirement),
    level: "error",
    message: {
      text: `${fault}\nSays: ${says}\nSource: ${toSourceWords(finding)}${seen.join("")}\nAgain: ${curl}`,
    },
    // The request differs between runs, because each run looks for its own calls.
    partialFingerprints: { "fault/v1": fingerprint },
    webRequest: toWebRequest(finding),
    webResponse: toWebResponse(finding),
    ...(reason !== undefined && { suppressions: [{ kind: "external", justification: reason }] }),
  };
}

function toLocation({ operation, place }: CheckedFinding, document: OpenApiFile): Location {
  const found = place ?? document.placeOf(toPointer(operation, document));
  // A place on another host is shown at the top of the document that refers to it.
  const { file, line } = /^https?:/i.test(found.file) ? { file: document.file, line: 1 } : found;
  return {
    physicalLocation: {
      artifactLocation: { uri: toRepositoryUri(file) },
      region: { startLine: line },
    },
    ...(operation && { logicalLocations: [{ name: operation, kind: "resource" }] }),
  };
}

/** Finds the operation by its id, else by its path. Without an operation, the place is the start of the paths. */
function toPointer(operation: CheckedFinding["operation"], { document }: OpenApiFile): string {
  const route = routes.find(({ operationId }) => operationId === operation);
  if (route === undefined) return "#/paths";
  const paths = Object.entries(isObject(document["paths"]) ? document["paths"] : {});
  const named = paths.flatMap(([path, item]) =>
    Object.entries(isObject(item) ? item : {})
      .filter(([, value]) => isObject(value) && value["operationId"] === operation)
      .map(([method]) => [path, method] as const),
  );
  const [path, method] = named[0] ?? [route.path, route.method.toLowerCase()];
  return `#/paths/${path.replaceAll("~", "~0").replaceAll("/", "~1")}/${method}`;
}

function toWebRequest({ sent: { method, url, headers, body } }: CheckedFinding): WebRequest {
  return {
    protocol: /^https:/i.test(url) ? "https" : "http",
    method,
    target: url,
    headers: { ...headers },
    ...(body !== undefined && { body: { text: body } }),
  };
}

function toWebResponse({ came }: CheckedFinding): WebResponse {
  if (came === undefined) return { noResponseReceived: true };
  return { statusCode: came.status, headers: { ...came.headers }, body: { text: came.body } };
}

function toInvocation({ verdict, reason, stale, left = [] }: CheckedReport): Invocation {
  const notices = stale.map(
    (entry) => `Expected, but not found any more: ${toEntryName(entry)} (${entry.reason})`,
  );
  const texts = reason === undefined ? notices : [reason, ...notices];
  return {
    executionSuccessful: verdict !== "unable",
    toolExecutionNotifications: [
      ...texts.map((text) => ({ level: "error" as const, message: { text } })),
      ...left.map((one) => ({
        level: "warning" as const,
        message: { text: `Created and still there: ${toLeftWords(one)}` },
      })),
    ],
  };
}
