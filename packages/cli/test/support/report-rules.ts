// What CI services and code hosts ask of a report, as rules of our own.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import type { Log, Result } from "sarif";

/** Children and attributes of each element, as junit-10.xsd of Jenkins' xUnit plugin declares them; `#text` where it is mixed. */
const JUNIT: Readonly<
  Record<string, Readonly<Record<"children" | "attributes" | "required", string>>>
> = {
  testsuites: {
    children: "testsuite",
    attributes: "name time tests failures errors",
    required: "",
  },
  testsuite: {
    children: "testsuite properties testcase system-out system-err",
    attributes:
      "name tests failures errors group time skipped timestamp hostname id package file log url",
    required: "name tests failures errors",
  },
  testcase: {
    children: "skipped error failure system-out system-err",
    attributes: "name time classname group",
    required: "name",
  },
  failure: { children: "#text", attributes: "type message", required: "" },
  error: { children: "#text", attributes: "type message", required: "" },
  skipped: { children: "#text", attributes: "type message", required: "" },
};
const SUREFIRE_TIME = /^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?$/;

interface XmlNode {
  readonly ":@"?: Readonly<Record<string, string>>;
  readonly [name: string]: unknown;
}

/** Everything in a JUnit report that the schema does not have, or that lacks what it requires. */
export function findJunitFaults(xml: string): readonly string[] {
  const valid = XMLValidator.validate(xml);
  if (valid !== true) return [valid.err.msg];
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: "",
    ignoreDeclaration: true,
  });
  const nodes: readonly XmlNode[] = parser.parse(xml);
  return nodes.flatMap((node) => findNodeFaults(node, "testsuites"));
}

function findNodeFaults(node: XmlNode, allowed: string): readonly string[] {
  const name = Object.keys(node).find((key) => key !== ":@") ?? "";
  if (!allowed.split(" ").includes(name)) return [`${name} stands where ${allowed} may`];
  const declared = JUNIT[name];
  if (declared === undefined) return [];
  const attributes = node[":@"] ?? {};
  const known = declared.attributes.split(" ");
  const required = declared.required.split(" ").filter(Boolean);
  const inner = node[name] as readonly XmlNode[]; // preserveOrder gives a list of nodes
  return [
    ...Object.keys(attributes)
      .filter((key) => !known.includes(key))
      .map((key) => `${name} ${key}`),
    ...required.filter((key) => !(key in attributes)).map((key) => `${name} lacks ${key}`),
    ...[attributes["time"] ?? "0"].filter((time) => !SUREFIRE_TIME.test(time)),
    ...inner.flatMap((child) => findNodeFaults(child, declared.children)),
  ];
}

/** Everything for which GitHub refuses a SARIF file, or shows its alerts at no place; `root` is the repository's. */
export function findSarifFaults(text: string, root: string): readonly string[] {
  const { runs }: Log = JSON.parse(text);
  return runs.flatMap(({ tool, results = [] }) => {
    const ids = new Set((tool.driver.rules ?? []).map(({ id }) => id));
    return results.flatMap((result) => [
      ...(ids.has(result.ruleId ?? "") ? [] : [`there is no rule ${result.ruleId}`]),
      ...(result.message.text ? [] : [`${result.ruleId} has no message`]),
      ...findPlaceFaults(result, root),
    ]);
  });
}

function findPlaceFaults({ ruleId, locations = [] }: Result, root: string): readonly string[] {
  if (locations.length === 0) return [`${ruleId} has no location`];
  return locations.flatMap(({ physicalLocation }) => {
    const { artifactLocation, region } = physicalLocation ?? {};
    const uri = artifactLocation?.uri ?? "";
    const isRelative =
      uri !== "" && !/^(?:[a-z][a-z\d+.-]*:|\/)|(?:^|\/)\.\.(?:\/|$)|\\/i.test(uri);
    const isThere = isRelative && existsSync(join(root, decodeURIComponent(uri)));
    const line = region?.startLine ?? 0;
    return [
      ...(isThere ? [] : [`${uri} is not in the repository`]),
      ...(Number.isInteger(line) && line >= 1 ? [] : [`${ruleId} is at line ${line}`]),
    ];
  });
}
