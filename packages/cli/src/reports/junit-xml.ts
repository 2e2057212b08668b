// JUnit XML by the schema junit-10.xsd of Jenkins: tests, each passed, failed, skipped or in error.
import { PROGRAM } from "../version.ts";

type Attributes = Readonly<Record<string, string | number>>;

export interface Outcome {
  readonly kind: "passed" | "failure" | "skipped" | "error";
  readonly name: string;
  readonly message: string;
  readonly details?: string;
  /** Duration; default 0. CI services add them up. */
  readonly durationMs?: number;
}

export interface JunitSuite {
  /** The command of the program. */
  readonly command: string;
  readonly suite: string;
  /** CI services group the tests by it. */
  readonly className: string;
  readonly outcomes: readonly Outcome[];
}

export function toJunitXml(tested: JunitSuite): string {
  const { command, suite, className, outcomes } = tested;
  const count = (kind: Outcome["kind"]) =>
    outcomes.filter((outcome) => outcome.kind === kind).length;
  const totals = {
    tests: outcomes.length,
    failures: count("failure"),
    errors: count("error"),
    time: toSeconds(outcomes.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0)),
  };
  const cases = outcomes.map((outcome) => toCase(outcome, className));
  const ofSuite = { name: suite, ...totals, skipped: count("skipped") };
  const inner = element("testsuite", ofSuite, cases.join("\n"));
  const root = element("testsuites", { name: `${PROGRAM} ${command}`, ...totals }, inner);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root}`;
}

function toCase(outcome: Outcome, classname: string): string {
  const { kind, name, message, details = "", durationMs = 0 } = outcome;
  const inner = kind === "passed" ? "" : element(kind, { message }, escapeXml(details));
  return element("testcase", { classname, name, time: toSeconds(durationMs) }, inner);
}

const toSeconds = (durationMs: number): string => (durationMs / 1000).toFixed(3);

function element(name: string, attributes: Attributes, content: string): string {
  const pairs = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeXml(String(value))}"`,
  );
  return `<${name}${pairs.join("")}>${content}</${name}>`;
}

/** XML 1.0 cannot represent most control characters, lone surrogates, U+FFFE and U+FFFF. */
function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
      // A parser would turn a bare line break in an attribute into a space.
      .replaceAll(/[&<>"\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
  );
}
