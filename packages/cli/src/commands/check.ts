// `call-media check`: tests whether a running service keeps the contract.
import { writeFile } from "node:fs/promises";
import type { Exchange } from "@call-media/conformance";
import type { OpenApiFile } from "@call-media/contract-diff/files";
import { type Command, Option } from "commander";
import type { CheckedReport } from "../check/checked-report.ts";
import { toHar } from "../check/har.ts";
import { toJunit } from "../check/junit.ts";
import { toMarkdown } from "../check/markdown.ts";
import { toProfile } from "../check/profile.ts";
import { addRunOptions } from "../check/run-options.ts";
import { toSarif } from "../check/sarif.ts";
import { checkSubject, explainSubject, initSubject, toChecked } from "../check/subject.ts";
import { toText } from "../check/text.ts";
import { checkRecorded, type TrafficFlags } from "../check/traffic.ts";
import { toLeftWords } from "../check/words.ts";
import { CHECK_ACCESS_HELP } from "../command-line/access-help.ts";
import { createJsonOption } from "../command-line/json-option.ts";
import {
  console,
  createPaint,
  io,
  toCounted,
  toNumber,
  toTextWidth,
  UsageError,
} from "@call-media/terminal";
import { DONE, FAILED, UNABLE } from "../exit-codes.ts";
import { readOpenApiFile } from "../files/document-file.ts";
import { checkWritable } from "../files/output-file.ts";
import { replaceFile } from "../files/written-files.ts";
import {
  checkReports,
  createReportOption,
  doEach,
  type Formats,
  isAsked,
  type ReportFlags,
  writeReports,
} from "../reports/report-option.ts";
import { toRepositoryUri } from "../reports/repository-file.ts";
import { PROGRAM } from "../version.ts";

const HELP = `
The check only reads. It finds calls, users, recordings and chats by itself, so it works on any archive.
  $ call-media check --base-url https://archive.example.com
  $ call-media check --base-url https://archive.example.com --against decisions --format junit > report.xml
  $ call-media check --base-url https://archive.example.com --only listUsers,listPublicFlags --har exchanges.har
  $ call-media check --base-url https://archive.example.com --expect known.yaml

--against interface fails on what the interface states. --against decisions also holds the service to the decisions, this
project's answers where the interface is silent.

--expect names known faults, a list in JSON or YAML. They do not fail the check; another fault of the same operation
does, and so does an entry whose fault is not found any more:
  - requirement: ...              the id that the report shows
    operation: listUsers
    fingerprint: 0f3c5a7e9b1d2468 of the finding, in every format
    reason: fixed in version 4, due in March

An operation of which not one success was seen is not kept: the exit code is then 2, unless the archive proves that
it has nothing for it. An archive without a call or a user ends with 2 as well, unless you say --empty-ok. Give identifiers that exist as examples in the profile, or leave operations out with --only.

--report writes further formats of the same run: --report junit=report.xml --report markdown=summary.md
SARIF places each finding in the OpenAPI document of your repository: --document openapi.yaml --report sarif=report.sarif

Reports and HAR files contain answers of the service, which may be personal data, but no secrets and no tokens.

--explain says what would be asked, --self-test what the check would find.

Any other API is checked by its own document, and by relations: what holds between its responses. --init prints a first
relations file, with --base-url from live answers. Without --write the check only reads; with it, it creates, changes and
deletes things of its own, and lists what is still there. --caller takes user:password, a token, a key, or a header line
from the environment:
  $ TOKEN=... call-media check --document openapi.yaml --init --base-url https://staging.example.com --caller first=TOKEN > relations.yaml
  $ call-media check --document openapi.yaml --relations relations.yaml --explain
  $ TOKEN=... call-media check --document openapi.yaml --relations relations.yaml --base-url https://staging.example.com --caller first=TOKEN

--traffic judges what was recorded elsewhere, in a browser or by a proxy: what each response shows by itself. The servers of
the document say which requests are meant, or --base-url does. What needs requests is listed as not checked:
  $ call-media check --document openapi.yaml --relations relations.yaml --traffic session.har --base-url https://api.example.com

Exit code: 0 the contract is kept, 1 it is not, 2 that could not be found out.
${CHECK_ACCESS_HELP}`;

const FORMAT_NAMES = ["text", "json", "junit", "sarif", "markdown"] as const;
type FormatName = (typeof FORMAT_NAMES)[number];

/** Only SARIF needs the document, because it locates findings in it. */
const toFormats = (document: OpenApiFile | undefined) =>
  ({
    text: (report: CheckedReport) =>
      toText(report, { width: toTextWidth(), paint: createPaint(io().stdout) }),
    json: (report: CheckedReport) => JSON.stringify(report, undefined, 2),
    junit: toJunit,
    sarif: (report: CheckedReport) => (document === undefined ? "" : toSarif(report, document)),
    markdown: toMarkdown,
  }) satisfies Record<FormatName, (report: CheckedReport) => string>;

interface CheckFlags extends ReportFlags, TrafficFlags {
  readonly format: FormatName;
  readonly document?: string;
  readonly allowRemote?: true;
}

const EXIT_CODES = { kept: DONE, drift: FAILED, unable: UNABLE } as const;

export function configureCheck(command: Command): void {
  addRunOptions(command)
    .addOption(
      new Option("--against <yardstick>", "what the service is held to")
        .choices(["interface", "decisions"])
        .default("interface"),
    )
    .option(
      "--only <operations>",
      "check these operations alone, with commas between them",
      toNames,
    )
    .addOption(
      new Option("--format <format>", "of the report").choices(FORMAT_NAMES).default("text"),
    )
    .addOption(createJsonOption())
    .addOption(createReportOption(FORMAT_NAMES))
    .option(
      "--document <file>",
      "the service's OpenAPI document, when it is not the one of Call Media that comes with this program; SARIF places findings there",
    )
    .option("--relations <file>", "what holds between the API's responses; may be repeated", addTo)
    .option(
      "--caller <name=variable>",
      "who asks: first, second, expired or a security scheme, and the environment variable that has the credentials; may be repeated",
      addCaller,
    )
    .option(
      "--body <operation=variable>",
      "the request body of an operation that no document shows, such as credentials to sign in with: JSON in that environment variable; may be repeated",
      addBody,
    )
    .option("--write", "send requests that change something as well")
    .option("--explain", "say what would be asked and what cannot be; nothing is sent")
    .option(
      "--init",
      "print a first relations file: what live answers show at --base-url, or guesses by the document alone",
    )
    .option(
      "--traffic <file>",
      "judge recorded exchanges, and send nothing: HAR (.har) or NDJSON (.ndjson, .jsonl); may be repeated",
      addTo,
    )
    .option("--allow-remote", "fetch what the document refers to on other hosts")
    .option(
      "--self-test",
      "put drifts into the answers of the run, and say how many it would have found",
    )
    .option("--strict", "report broken recommendations as findings too")
    .option("--empty-ok", "lists, or an archive, without anything in them are as they should be")
    .option("--open", "allow fields that the document does not describe")
    .option(
      "--without <names>",
      "leave out kinds of relations, or operations, with commas between them",
      toNames,
    )
    .option("--har <file>", "write every request and answer to a HAR 1.2 file")
    .option(
      "--floor <percent>",
      "how many of the possible checks must be made, or the run counts as failed; when left out, 60, and none for Call Media",
      toNumber(0, 100),
    )
    .option("--expect <file>", "differences that are known, each with a reason")
    .addHelpText("after", HELP)
    .action(check);
}

async function check(flags: CheckFlags): Promise<void> {
  checkWritable("--har", flags.har);
  checkWritable("--profile-out", flags.profileOut);
  checkReports(flags);
  const document = await readPlaces(flags);
  if (flags.traffic !== undefined) return checkTraffic(flags, document);
  if (flags.init === true) {
    if (flags.selfTest === true)
      throw new UsageError(
        "--self-test tries rules, and --init writes the first ones: check with its file, --relations FILE --self-test",
      );
    return init(flags, document);
  }
  if (flags.explain === true)
    return console.log(await explainSubject(flags, document, toTextWidth()));
  const exchanges: Exchange[] = [];
  const { found, hasRules } = await checkSubject(
    flags,
    document,
    (exchange) => void (flags.har !== undefined && exchanges.push(exchange)),
  );
  const { profileOut } = flags;
  await tell(flags, {
    formats: { ...toFormats(document), json: () => JSON.stringify(found, undefined, 2) },
    report: { ...toChecked(found), hasRules },
    exchanges,
    // If the service cannot be reached, the error already says so.
    isShown: found.operations.seen > 0 || found.findings.length > 0,
    more: async () => {
      if (profileOut !== undefined) await writeFile(profileOut, `${toProfile(found)}\n`);
    },
  });
}

async function checkTraffic(flags: CheckFlags, document: OpenApiFile | undefined): Promise<void> {
  const { found, hasRules } = await checkRecorded(flags, document);
  await tell(flags, {
    formats: { ...toFormats(document), json: () => JSON.stringify(found, undefined, 2) },
    report: { ...toChecked(found), hasRules },
    exchanges: [],
    isShown: true,
  });
}

interface Told<Formatted extends CheckedReport> {
  readonly formats: Formats<Formatted> &
    Readonly<Record<FormatName, (report: Formatted) => string>>;
  readonly report: Formatted;
  readonly exchanges: readonly Exchange[];
  /** True if a text report says more than the reason why there is none. */
  readonly isShown: boolean;
  readonly more?: () => Promise<void>;
}

async function tell<Formatted extends CheckedReport>(
  flags: CheckFlags,
  { formats, report, exchanges, isShown, more }: Told<Formatted>,
): Promise<void> {
  const { har, format } = flags;
  io().exitCode = EXIT_CODES[report.verdict];
  await doEach([
    // Responses contain personal data of an archive, so only the owner may read them.
    () => har !== undefined && replaceFile(har, toHar(exchanges)),
    () => more?.(),
    () => writeReports(flags, formats, report),
    () => (format !== "text" || isShown) && console.log(formats[format](report)),
    () =>
      report.verdict === "unable" &&
      console.error(`${PROGRAM}: ${report.reason ?? "the check did not end"}`),
  ]);
}

/** Writes a first relations file. Exit code 2 if the service was not read to the end, which the file also says. */
async function init(flags: CheckFlags, document: OpenApiFile | undefined): Promise<void> {
  const found = await initSubject(flags, document);
  const { text, rules, guesses = 0, requests = 0, left = [], reason } = found;
  console.log(text.trimEnd());
  if (rules !== undefined)
    console.error(
      `${PROGRAM}: ${toCounted(rules, "rule")} of ${toCounted(guesses, "guess", "guesses")}, after ${toCounted(requests, "request")}`,
    );
  for (const one of left) console.error(`${PROGRAM}: created and still there: ${toLeftWords(one)}`);
  if (reason === undefined) return;
  console.error(`${PROGRAM}: ${reason}`);
  io().exitCode = UNABLE;
}

/** @throws UsageError before the run if SARIF has no repository file to refer to. */
async function readPlaces(flags: CheckFlags): Promise<OpenApiFile | undefined> {
  const { document } = flags;
  const isNeeded = isAsked("sarif", flags);
  if (document === undefined && isNeeded)
    throw new UsageError(
      "SARIF places findings in a file of your repository: pass the service's OpenAPI document, --document openapi.yaml",
    );
  if (document === undefined) return undefined;
  if (isNeeded) toRepositoryUri(document);
  return readOpenApiFile(document, { allowRemote: flags.allowRemote === true });
}

const addTo = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  value,
];

const toNames = (text: string): readonly string[] => text.split(",").map((name) => name.trim());

const addCaller = toPairs(
  "--caller takes first, second, expired or a security scheme, and a variable, such as first=TOKEN",
);
const addBody = toPairs("--body takes an operation and a variable, such as signIn=SIGN_IN");

/** A secret given instead of a variable is not repeated, because the message may be logged. */
function toPairs(form: string) {
  return (text: string, before: Readonly<Record<string, string>> = {}) => {
    const [, name = "", variable = ""] = /^([\w.-]+)=(\w+)$/.exec(text) ?? [];
    if (name === "") throw new UsageError(`${form}: the secret stands in the variable`);
    return { ...before, [name]: variable };
  };
}
