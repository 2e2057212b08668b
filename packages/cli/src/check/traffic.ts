// `check --traffic`: judges recorded exchanges of a service. Nothing is sent.
import { type ApiReport, checkTraffic } from "@call-media/conformance";
import type { OpenApiFile } from "@call-media/contract-diff/files";
import { createProgressLine, io, toCounted, UsageError } from "@call-media/terminal";
import { parseBaseUrl } from "../access/base-url.ts";
import { asUsage } from "../files/document-file.ts";
import { createInterrupt } from "../interrupt.ts";
import { applyExpectations, type Judged, readExpectations, toVocabulary } from "./expectations.ts";
import { readSubject, type SubjectFlags, toDocument } from "./subject.ts";

export interface TrafficFlags extends SubjectFlags {
  readonly traffic?: readonly string[];
  readonly explain?: true;
  readonly init?: true;
  readonly har?: string;
  readonly profileOut?: string;
}

/** Options about requests, which recorded traffic has none of. */
const OF_REQUESTS = [
  ["write", "--write"],
  ["selfTest", "--self-test"],
  ["explain", "--explain"],
  ["init", "--init"],
  ["caller", "--caller"],
  ["body", "--body"],
  ["har", "--har"],
  ["maxRequests", "--max-requests"],
  ["rate", "--rate"],
  ["floor", "--floor"],
  ["emptyOk", "--empty-ok"],
  ["profileOut", "--profile-out"],
] as const satisfies readonly (readonly [keyof TrafficFlags, string])[];

/** @throws UsageError before the first entry, if an option is about requests, or a file cannot be read. */
export async function checkRecorded(
  flags: TrafficFlags,
  file: OpenApiFile | undefined,
): Promise<{ readonly found: Judged<ApiReport>; readonly hasRules: boolean }> {
  const [, other] = OF_REQUESTS.find(([name]) => flags[name] !== undefined) ?? [];
  if (other !== undefined)
    throw new UsageError(
      `${other} is about requests, and --traffic sends none: leave one of the two out`,
    );
  const { isOwn: _isOwn, ...subject } = await readSubject(flags, file && toDocument(file));
  const { baseUrl, traffic = [], expect } = flags;
  const check = {
    ...subject,
    files: traffic,
    ...(baseUrl !== undefined && { baseUrl: parseBaseUrl(baseUrl) }),
  };
  const target = { baseUrl: baseUrl ?? "" };
  const expectations =
    expect === undefined
      ? []
      : await readExpectations(expect, toVocabulary({ ...subject, target }));
  using progress = createProgressLine(io().stderr);
  const options = {
    isStrict: flags.strict === true,
    ...(flags.open === true && { isOpen: true }),
    ...(flags.without && { without: flags.without }),
    ...(flags.only && { only: flags.only }),
    signal: createInterrupt(),
    onEntry: (count: number) => progress.show(toCounted(count, "recorded exchange")),
  };
  const report = await asUsage(checkTraffic({ ...check, options }));
  // A recording without a fault does not prove that the fault is gone.
  const wasSeen = () => false;
  return {
    found: applyExpectations(report, expectations, wasSeen),
    hasRules: subject.relations.rules.length > 0,
  };
}
