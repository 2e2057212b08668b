// Parses the address of a service.
import { UsageError } from "@call-media/terminal";

/**
 * The URL without a trailing slash. Secrets are sent to it, so it must be https unless it is this machine.
 *
 * @throws UsageError naming what is wrong with it.
 */
export function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError(
      `the base URL ${text} is not an address such as https://archive.example.com`,
    );
  if (url.username !== "" || url.password !== "")
    throw new UsageError("the base URL must not have a user or a password in it");
  if (url.search !== "" || url.hash !== "")
    throw new UsageError("the base URL must not have a query or a fragment");
  const isLoopback = /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url.protocol === "http:" && !isLoopback)
    throw new UsageError("the base URL must be https: http is for a loopback host alone");
  return url.href.replace(/\/+$/, "");
}
