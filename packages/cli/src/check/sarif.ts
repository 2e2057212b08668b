// The report as SARIF 2.1.0, which code hosts show as alerts: a rule for each requirement, a result for each finding.
import { type Finding, listRequirements } from "@call-media/conformance";
import type { Invocation, ReportingDescriptor, Result, WebRequest, WebResponse } from "sarif";
import { toSarifLog } from "../reports/sarif-log.ts";
import type { JudgedReport } from "./expectations.ts";
import { toSourceWords } from "./words.ts";

export function toSarif(report: JudgedReport): string {
  const all = [...report.findings, ...report.expected];
  const rules = toRules(report);
  return toSarifLog({
    rules,
    invocation: toInvocation(report),
    results: all.map((finding) => toResult(finding, rules)),
  });
}

/** Also those that were kept: a reader of alerts sees what was held to. */
function toRules(report: JudgedReport): ReportingDescriptor[] {
  return listRequirements(report.against).map(({ id, says, source }) => ({
    id,
    shortDescription: { text: says },
    fullDescription: { text: `Source: ${toSourceWords({ source })}` },
  }));
}

function toResult(
  finding: Finding & { readonly reason?: string },
  rules: readonly ReportingDescriptor[],
): Result {
  const { requirement, operation, fault, says, sent, curl, reason } = finding;
  return {
    ruleId: requirement,
    ruleIndex: rules.findIndex(({ id }) => id === requirement),
    level: "error",
    message: { text: `${fault}\nSays: ${says}\nSource: ${toSourceWords(finding)}\nAgain: ${curl}` },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: sent.url } },
        ...(operation && { logicalLocations: [{ name: operation, kind: "resource" }] }),
      },
    ],
    // What stays the same from run to run; the request does not, since the check finds its calls anew.
    partialFingerprints: { "requirementAndOperation/v1": `${requirement}/${operation ?? ""}` },
    webRequest: toWebRequest(finding),
    webResponse: toWebResponse(finding),
    ...(reason !== undefined && { suppressions: [{ kind: "external", justification: reason }] }),
  };
}

function toWebRequest({ sent: { method, url, headers, body } }: Finding): WebRequest {
  const { protocol } = new URL(url);
  return {
    protocol: protocol === "https:" ? "https" : "http",
    method,
    target: url,
    headers: { ...headers },
    ...(body !== undefined && { body: { text: body } }),
  };
}

function toWebResponse({ came }: Finding): WebResponse {
  if (came === undefined) return { noResponseReceived: true };
  return { statusCode: came.status, headers: { ...came.headers }, body: { text: came.body } };
}

function toInvocation({ verdict, reason, stale }: JudgedReport): Invocation {
  const notices = stale.map(
    ({ requirement, operation = "every operation", reason: why }) =>
      `Expected, but not found any more: ${requirement}, ${operation} (${why})`,
  );
  const texts = reason === undefined ? notices : [reason, ...notices];
  return {
    executionSuccessful: verdict !== "unable",
    toolExecutionNotifications: texts.map((text) => ({ level: "error", message: { text } })),
  };
}
