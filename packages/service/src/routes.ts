// Maps a method and a path to one of the contract's operations. The table comes from the bundled document: no path is written here.
import { type Route, routes } from "@call-media/api";
import { methodNotAllowed, parameterInvalid, pathUnknown } from "./errors.ts";

export interface Match {
  readonly route: Route;
  /** Path parameters by name, percent-decoded. */
  readonly path: Readonly<Record<string, string>>;
}

export interface Router {
  /** Throws 404 for an unknown path, 405 with Allow for another method, 400 for a malformed percent-encoding (D12). */
  readonly match: (method: string, pathname: string) => Match;
  /** The methods of the path, including HEAD and OPTIONS; `*` is the service as a whole. Empty for an unknown path. */
  readonly methodsOf: (pathname: string) => readonly string[];
}

interface Template {
  readonly segments: readonly string[];
  readonly byMethod: ReadonlyMap<string, Route>;
}

export function createRouter(): Router {
  const templates = toTemplates();
  const find = (segments: readonly string[]) =>
    templates.find((candidate) => fits(candidate.segments, segments));
  return {
    match: (method, pathname) => {
      const segments = pathname.split("/");
      const template = find(segments);
      if (template === undefined) throw pathUnknown();
      const route = template.byMethod.get(method === "HEAD" ? "GET" : method);
      if (route === undefined) throw methodNotAllowed(toMethods([...template.byMethod.keys()]));
      return { route, path: decode(template.segments, segments) };
    },
    methodsOf: (pathname) => {
      if (pathname === "*") return allMethods();
      const template = find(pathname.split("/"));
      return template === undefined ? [] : toMethods([...template.byMethod.keys()]);
    },
  };
}

/** Every method of any path of the contract. */
export function allMethods(): readonly string[] {
  return toMethods([...new Set(routes.map(({ method }) => method))]);
}

// Every readable resource also has HEAD (RFC 9110, section 9.3.2), and every resource has OPTIONS.
function toMethods(methods: readonly string[]): readonly string[] {
  return [...methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : method)), "OPTIONS"];
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
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw parameterInvalid("The path has a malformed percent-encoding");
  }
}

function isParameter(part: string): boolean {
  return part.startsWith("{");
}
