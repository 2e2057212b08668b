// The first of the two engines: `redocly diff` with its own recommended rules, run as a program because its packages export no such function.
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isObject, type JsonObject } from "./json.ts";
import type { Finding } from "./rating.ts";

const program = fileURLToPath(new URL("../node_modules/@redocly/cli/bin/cli.js", import.meta.url));
const config = fileURLToPath(new URL("../redocly.yaml", import.meta.url));

// A change of a schema is reported for each place that uses it: one word in MetadataRecord gives some 100 kB.
const MAX_REPORT_BYTES = 256 * 1024 * 1024;

/** Version of the JSON report that this file reads; redocly calls the command experimental. */
const REPORT_VERSION = "1";

/** One change in the report, as far as it is read here. */
interface Change {
  /** Where it is met, once for each use of what is written once. */
  readonly path: string;
  readonly typeName: string;
  readonly kind: "added" | "removed" | "modified";
  readonly impact: keyof typeof ratings;
  readonly property?: string;
  /** The rules that rated it; none for what redocly rates by its kind alone. */
  readonly verdicts: readonly { readonly ruleId: string; readonly message: string }[];
  readonly base?: { readonly pointer: string };
  readonly revision?: { readonly pointer: string };
}

const ratings = { major: "breaking", minor: "additive", patch: "prose" } as const;

/**
 * What redocly finds between two documents, each changed place once. Throws an Error when the program fails, for example
 * on a document that is no OpenAPI document, or writes a report of another version.
 */
export async function compareByRedocly(before: JsonObject, after: JsonObject): Promise<Finding[]> {
  const report: unknown = JSON.parse(await runDiff(before, after));
  if (!isObject(report) || report["reportVersion"] !== REPORT_VERSION) {
    throw new Error(`redocly diff wrote a report of another version than ${REPORT_VERSION}`);
  }
  // The version that was checked says that the report has this shape.
  const findings = (report["changes"] as Change[]).map(toFinding);
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}

async function runDiff(before: JsonObject, after: JsonObject): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "contract-gate-"));
  try {
    const [base, revision] = [join(folder, "released.json"), join(folder, "working.json")];
    await writeFile(base, JSON.stringify(before));
    await writeFile(revision, JSON.stringify(after));
    const options = ["--config", config, "--format", "json", "--fail-on", "none"];
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [program, "diff", base, revision, ...options],
      {
        maxBuffer: MAX_REPORT_BYTES,
        env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", REDOCLY_TELEMETRY: "off" },
      },
    );
    return stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function toFinding(change: Change): Finding {
  const { kind, impact, property, typeName } = change;
  const [verdict] = change.verdicts;
  return {
    rating: ratings[impact],
    rule: `redocly:${verdict?.ruleId ?? `${kind} ${typeName}`}`,
    // Where it is written, which for a schema in use many times is one place.
    pointer: (change.revision ?? change.base)?.pointer ?? change.path,
    message: verdict?.message ?? `${property ?? typeName} was ${kind}`,
  };
}
