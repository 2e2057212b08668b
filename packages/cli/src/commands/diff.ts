// `call-media diff`: shows what a change of an OpenAPI document means for clients, and whether its version says so.
import {
  OPTIONAL_RULES,
  RULE_IDS,
  SEVERITIES,
  SEVERITY_IDS,
  SIDES,
  type Severities,
} from "@call-media/contract-diff";
import { type Command, InvalidArgumentError, Option } from "commander";
import { createJsonOption } from "../command-line/json-option.ts";
import { DIFF_FORMATS } from "../diff/formats.ts";
import { type FailOn, judge, type JudgedDiff } from "../diff/judged-diff.ts";
import { readKnownChanges } from "../diff/known-changes.ts";
import { readSeverities } from "../diff/severity-file.ts";
import { DONE, FAILED } from "../exit-codes.ts";
import { readOpenApiFile } from "../files/document-file.ts";
import { console, io } from "@call-media/terminal";
import {
  checkReports,
  createReportOption,
  isAsked,
  type ReportFlags,
  writeReports,
} from "../reports/report-option.ts";
import { toRepositoryUri } from "../reports/repository-file.ts";

const HELP = `
Both documents are OpenAPI 3.0, 3.1 or 3.2, or Swagger 2.0, JSON or YAML, in one or several files. No service is asked.
  $ call-media diff released.yaml openapi.yaml
  $ call-media diff released.yaml openapi.yaml --fail-on version
  $ call-media diff released.yaml openapi.yaml --rule field-order --rule default=additive
  $ call-media diff released.yaml openapi.yaml --report junit=report.xml --report markdown=summary.md

To compare with the document of the last release in git:
  $ git show v1.0.0:openapi.yaml > released.yaml

A change is "breaking" if a client written for the earlier document may fail, "additive" if it offers something new,
and "prose" otherwise. These need the next major, minor and patch version in info.version; before 1.0.0, a breaking
change needs the next minor. A change that no rule can judge counts as breaking.

--rule ID turns a rule on, --rule ID=SEVERITY (${SEVERITIES.join(", ")}) overrules it.
${SIDES.map((side) => `${side}.ID`).join(" and ")} are of what the client sends and reads. What a request no longer accepts is lowered
by --rule request.ID=SEVERITY alone: --rule oneOf=additive allows one more answer, and no refused request.
--rules FILE has severities for several rules: { default: additive, field-order: on }.
Rules: ${RULE_IDS.join(", ")}.
These are off unless turned on: ${OPTIONAL_RULES.join(", ")}.

--expect FILE: a list of { rule, pointer, reason }, changes that you accept. An entry that fits no change fails.

Exit code: 0 the change may pass, 1 it may not, 2 that could not be found out.`;

interface DiffFlags extends ReportFlags {
  readonly format: keyof typeof DIFF_FORMATS;
  readonly failOn: FailOn;
  readonly rule: Severities;
  readonly rules?: string;
  readonly expect?: string;
}

export function configureDiff(command: Command): void {
  command
    .argument("<base>", "the document as it was")
    .argument("<head>", "the document as it is to be")
    .addOption(
      new Option(
        "--fail-on <what>",
        "breaking: a breaking change that info.version does not tell; version: any change that it does not tell; any: any breaking change, whatever info.version says",
      )
        .choices(["breaking", "version", "any"])
        .default("breaking"),
    )
    .addOption(
      new Option(
        "--rule <id[=severity]>",
        "turn a rule on, or overrule its severity; may be repeated",
      )
        .default({})
        .argParser(addRule),
    )
    .option("--rules <file>", "severities by rule id; --rule overrules it")
    .option("--expect <file>", "changes that are accepted, each with a reason")
    .addOption(
      new Option("--format <format>", "of the report")
        .choices(Object.keys(DIFF_FORMATS))
        .default("text"),
    )
    .addOption(createJsonOption())
    .addOption(createReportOption(Object.keys(DIFF_FORMATS)))
    .addHelpText("after", HELP)
    .action(diff);
}

async function diff(base: string, head: string, flags: DiffFlags): Promise<void> {
  checkReports(flags);
  if (isAsked("sarif", flags)) toRepositoryUri(head);
  const documents = await Promise.all([readOpenApiFile(base), readOpenApiFile(head)]);
  const judged: JudgedDiff = judge(...documents, {
    failOn: flags.failOn,
    rules: { ...(flags.rules !== undefined && (await readSeverities(flags.rules))), ...flags.rule },
    known: flags.expect === undefined ? [] : await readKnownChanges(flags.expect),
  });
  await writeReports(flags, DIFF_FORMATS, judged);
  console.log(DIFF_FORMATS[flags.format](judged));
  io().exitCode = judged.refusal === null ? DONE : FAILED;
}

function addRule(text: string, before: Severities): Severities {
  const [id = "", word = "on"] = text.split("=", 2);
  if (!SEVERITY_IDS.includes(id))
    throw new InvalidArgumentError(`There is no rule ${id}: call-media diff --help lists them.`);
  const severity = SEVERITIES.find((known) => known === word);
  if (severity === undefined)
    throw new InvalidArgumentError(`A severity is one of ${SEVERITIES.join(", ")}.`);
  return { ...before, [id]: severity };
}
