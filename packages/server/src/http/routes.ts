// From a method and a path to one of the contract's operations. The table is the bundled document's: no path is written here.
import { type Route, routes } from "@call-media/api";
import { badRequest, methodNotAllowed, pathUnknown } from "./errors.ts";

export interface Match {
  readonly route: Route;
  /** Path parameters by name, percent-decoded. */
  readonly path: Readonly<Record<string, string>>;
  /** A HEAD request: answered as GET, without the body. */
  readonly isHead: boolean;
}

export type Router = (method: string, pathname: string) => Match;

interface Template {
  readonly segments: readonly string[];
  readonly byMethod: ReadonlyMap<string, Route>;
}

/** Throws 404 for an unknown path, 405 with Allow for another method, 400 for a malformed percent-encoding (D12). */
export function createRouter(): Router {
  const templates = toTemplates();
  return (method, pathname) => {
    const segments = pathname.split("/");
    const template = templates.find((candidate) => fits(candidate.segments, segments));
    if (template === undefined) throw pathUnknown();
    const isHead = method === "HEAD";
    const route = template.byMethod.get(isHead ? "GET" : method);
    if (route === undefined) throw methodNotAllowed(toAllowed(template));
    return { route, path: decode(template.segments, segments), isHead };
  };
}

/** The methods of a path that is in the contract, HEAD included. */
function toAllowed({ byMethod }: Template): string[] {
  return [...byMethod.keys()].flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
}

function toTemplates(): readonly Template[] {
  return Object.entries(Object.groupBy(routes, ({ path }) => path)).map(([path, ofPath = []]) => ({
    segments: path.split("/"),
    byMethod: new Map(ofPath.map((route) => [route.method, route])),
  }));
}

function fits(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((part, index) =>
      isParameter(part) ? segments[index] !== "" : part === segments[index],
    )
  );
}

function decode(template: readonly string[], segments: readonly string[]): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const [index, part] of template.entries()) {
    if (isParameter(part)) parameters[part.slice(1, -1)] = decodeSegment(segments[index] ?? "");
  }
  return parameters;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw badRequest("The path has a malformed percent-encoding");
  }
}

function isParameter(part: string): boolean {
  return part.startsWith("{");
}
