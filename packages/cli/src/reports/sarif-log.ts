// A log of SARIF 2.1.0 with one run of this program.
import type { Invocation, Log, ReportingDescriptor, Result } from "sarif";
import { PROGRAM, readVersion } from "../version.ts";

const SCHEMA =
  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

interface SarifRun {
  readonly rules: ReportingDescriptor[];
  readonly invocation: Invocation;
  readonly results: Result[];
}

export function toSarifLog({ rules, invocation, results }: SarifRun): string {
  const log: Log = {
    $schema: SCHEMA,
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: PROGRAM, semanticVersion: readVersion(), rules } },
        invocations: [invocation],
        results,
        // Without it, some readers count columns in UTF-16 units, others in characters.
        columnKind: "utf16CodeUnits",
      },
    ],
  };
  return JSON.stringify(log, undefined, 2);
}
