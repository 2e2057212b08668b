// Shows an operation with curl. Secrets come from environment variables with the names that the command line uses.
import type { Route } from "@call-media/api";
import { BASE_URL, type ExampleInput } from "./example-input.ts";

export function writeCurl(route: Route, { path, query, body }: ExampleInput): string {
  const target = route.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(String(path[name])),
  );
  const pairs = Object.entries(query).map(([name, value]) => [name, String(value)]);
  const search = pairs.length === 0 ? "" : `?${new URLSearchParams(pairs).toString()}`;
  const options = [
    ...(route.needsCredentials ? ['--header "Authorization: Bearer $CALL_MEDIA_API_KEY"'] : []),
    ...(body === undefined ? [] : [writeBody(route, body)]),
    ...(isStream(route) ? ["--output call.wav"] : []),
  ];
  return [`curl "${BASE_URL}${target}${search}"`, ...options].join(" \\\n  ");
}

function writeBody(route: Route, body: object): string {
  if (route.needsCredentials) return `--json '${JSON.stringify(body)}'`;
  const secrets = '{"secretID":"$CALL_MEDIA_SECRET_ID","secretKey":"$CALL_MEDIA_SECRET_KEY"}';
  return `--json "${secrets.replaceAll('"', String.raw`\"`)}"`;
}

/** True if a success returns bytes instead of JSON. */
export const isStream = ({ responses }: Route): boolean =>
  responses["200"]?.content?.["application/json"] === undefined;
