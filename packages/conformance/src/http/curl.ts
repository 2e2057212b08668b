// The curl command that repeats a request.
import type { SentRequest } from "./exchanges.ts";

// In double quotes, so that the shell expands the secrets. All other special characters are escaped.
function quote(text: string): string {
  const escaped = text.replaceAll(
    /[\\"`]|\$(?![A-Z_]*(?:TOKEN|KEY|ID)\b)/g,
    (found) => `\\${found}`,
  );
  return `"${escaped}"`;
}

export function toCurl({ method, url, headers, body }: SentRequest): string {
  const parts = [
    "curl -sS -i",
    ...(method === "GET" ? [] : [method === "HEAD" ? "--head" : `-X ${method}`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quote(body)}`]),
    quote(url),
  ];
  return parts.join(" ");
}
