// `call-media diff`: what does a change of an OpenAPI document ask of clients, and does its version say so?
import { OPTIONAL_RULES, type OptionalRule } from "@call-media/contract-diff";
import { type Command, InvalidArgumentError, Option } from "commander";
import { createJsonOption } from "../command-line/json-option.ts";
import { DIFF_FORMATS } from "../diff/formats.ts";
import { type FailOn, judge, type JudgedDiff } from "../diff/judged-diff.ts";
import { readOpenApiFile } from "../diff/open-api-file.ts";
import { DONE, FAILED } from "../exit-codes.ts";
import { console, io } from "../io.ts";
import {
  checkReports,
  createReportOption,
  isAsked,
  type ReportFlags,
  writeReports,
} from "../reports/report-option.ts";
import { toRepositoryUri } from "../reports/repository-file.ts";

const HELP = `
Both documents are OpenAPI 3.0 or 3.1, JSON or YAML, each in one file. No service is asked.
  $ call-media diff released.yaml openapi.yaml
  $ call-media diff released.yaml openapi.yaml --fail-on version
  $ call-media diff released.yaml openapi.yaml --report junit=report.xml --report markdown=summary.md

To compare with the document of the last release in git:
  $ git show v1.0.0:openapi.yaml > released.yaml

A change is "breaking" if a client written for the earlier document may fail, "additive" if it offers something new,
and "prose" otherwise. These need the next major, minor and patch version in info.version; before 1.0.0, a breaking
change needs the next minor. A change that no rule can judge counts as breaking.

--rule field-order: also hold that the fields of a response keep their order. JSON gives the order no meaning; some
clients read fields by their place all the same.

Exit code: 0 the change may pass, 1 it may not, 2 that could not be found out.`;

interface DiffFlags extends ReportFlags {
  readonly format: keyof typeof DIFF_FORMATS;
  readonly failOn: FailOn;
  readonly rule: readonly OptionalRule[];
}

export function configureDiff(command: Command): void {
  command
    .argument("<base>", "the document as it was")
    .argument("<head>", "the document as it is to be")
    .addOption(
      new Option(
        "--fail-on <what>",
        "breaking: a breaking change that info.version does not tell; version: any change that it does not tell",
      )
        .choices(["breaking", "version"])
        .default("breaking"),
    )
    .addOption(
      new Option("--rule <id>", `apply a rule that is off by default: ${OPTIONAL_RULES.join(", ")}`)
        .default([])
        .argParser(addRule),
    )
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
    rules: flags.rule,
  });
  await writeReports(flags, DIFF_FORMATS, judged);
  console.log(DIFF_FORMATS[flags.format](judged));
  io().exitCode = judged.refusal === null ? DONE : FAILED;
}

function addRule(text: string, before: readonly OptionalRule[]): readonly OptionalRule[] {
  const rule = OPTIONAL_RULES.find((id) => id === text);
  if (rule === undefined)
    throw new InvalidArgumentError(`Allowed choices are ${OPTIONAL_RULES.join(", ")}.`);
  return [...before, rule];
}
