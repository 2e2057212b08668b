// Shows an operation with the client.
import type { Route } from "@call-media/api";
import { isStream } from "./curl.ts";
import { BASE_URL, type ExampleInput } from "./example-input.ts";

export function writeTypeScript(route: Route, input: ExampleInput): string {
  if (isStream(route)) return writeSaving(input);
  return `${writeClient(route)}

const { data } = await client.${route.method}("${route.path}"${writeInit(route, input)});
console.log(${route.needsCredentials ? "data.data" : "data.expires"});`;
}

function writeClient({ needsCredentials }: Pick<Route, "needsCredentials">): string {
  const env = (name: string) => `process.env["CALL_MEDIA_${name}"] ?? ""`;
  const secrets = `const credentials = {
  secretID: ${env("SECRET_ID")},
  secretKey: ${env("SECRET_KEY")},
};
`;
  const who = needsCredentials ? `apiKey: ${env("API_KEY")}` : "credentials";
  return `import { createClient } from "@call-media/client";

${needsCredentials ? "" : secrets}const client = createClient({
  baseUrl: "${BASE_URL}",
  ${who},
});`;
}

function writeInit({ needsCredentials }: Route, { path, query, body }: ExampleInput): string {
  const params = Object.entries({ path, query })
    .filter(([, values]) => Object.keys(values).length > 0)
    .map(([where, values]) => `    ${where}: ${writeObject(values)},`);
  const parts = [
    ...(params.length === 0 ? [] : [`  params: {\n${params.join("\n")}\n  },`]),
    ...(body === undefined
      ? []
      : [`  body: ${needsCredentials ? writeObject(body) : "credentials"},`]),
  ];
  return parts.length === 0 ? "" : `, {\n${parts.join("\n")}\n}`;
}

const writeObject = (values: object): string =>
  `{ ${Object.entries(values)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(", ")} }`;

function writeSaving({ path }: ExampleInput): string {
  return `${writeClient({ needsCredentials: true }).replace(
    "\n",
    '\nimport { saveRecording } from "@call-media/client/node";\n',
  )}

const saved = await saveRecording(client, ${writeObject(path)}, "call.wav");
console.log(saved.bytes, saved.contentType, saved.sha256, saved.verified);`;
}
