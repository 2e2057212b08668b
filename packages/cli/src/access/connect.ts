// Creates the client of the service from the options of a command.
import { type CallMediaClient, type ClientEvent, createClient } from "@call-media/client";
import type { ArchiveZone } from "@call-media/conditions";
import type { Command } from "commander";
import { console, io, toPrintable, toProgressOutput, UsageError } from "@call-media/terminal";
import { toArchiveZone } from "../search/time-zones.ts";
import { createWaitNotice } from "../terminal/wait-notice.ts";
import { PROGRAM, readVersion } from "../version.ts";
import { type ParsedTarget, readTarget, type TargetFlags } from "./target.ts";

/** A client and its configuration. */
export interface Connection {
  readonly client: CallMediaClient;
  readonly baseUrl: string;
  /** The kind of credentials. If a source has both, the application is used. */
  readonly by: "application" | "API key";
  /** The service's behaviour where the interface is silent; empty without a profile. */
  readonly service: NonNullable<ClientOptions["profile"]>;
  /** From the latest response, or saved earlier (D34); undefined if neither has it. */
  readonly archiveZone: ArchiveZone;
}

/** For every command that sends requests. */
export const BASE_URL_OPTION = [
  "--base-url <url>",
  "the address of the service: https, or http on this machine",
] as const;

/** --base-url and --profile, for every command that uses what login saved. */
export function addServiceOptions(command: Command): Command {
  return command
    .option(...BASE_URL_OPTION)
    .option("--profile <name>", "a profile saved by login, or a file: see below");
}

/** @throws UsageError naming what is missing or wrong, never a secret. */
export async function connect(flags: TargetFlags) {
  const found = await readTarget(flags, io().env);
  const onEvent = createWaitNotice(toProgressOutput());
  return { ...createConnection(found, { onEvent }), from: found.from };
}

export const toBy = ({ credentials }: ParsedTarget["target"]): Connection["by"] =>
  credentials === undefined ? "API key" : "application";

type ClientOptions = Parameters<typeof createClient>[0];

/** "GET /metadata/search: 200 in 12 ms, request 01J...". Omits the query, which may contain a phone number. */
function toRequestLine(event: ClientEvent): string | undefined {
  const what = `${event.method} ${new URL(event.url).pathname}`;
  if (event.type === "response") {
    const id = event.requestId === undefined ? "" : `, request ${toPrintable(event.requestId)}`;
    return `${what}: ${event.status} in ${Math.round(event.afterMs)} ms${id}`;
  }
  const wait = event.type === "retry" ? `; again in ${event.waitMs} ms` : "; resumed";
  const hasFailed = event.type === "retry" || event.type === "resume";
  return hasFailed ? `${what}: ${toPrintable(event.error.message)}${wait}` : undefined;
}

/** @throws UsageError if the target is not valid for a client. */
export function createConnection(
  { target, service = {} }: Omit<ParsedTarget, "hints">,
  options: Pick<
    ClientOptions,
    "fetch" | "maxRetries" | "onEvent" | "tokenStore" | "tryTimeoutMs"
  > = {},
): Connection {
  const { baseUrl, credentials, apiKey = "" } = target;
  const access = credentials === undefined ? { apiKey } : { credentials };
  const { fetch: send = fetch } = options;
  let archiveZone = toArchiveZone(undefined, service);
  try {
    const client = createClient({
      ...options,
      fetch: async (...request) => {
        const response = await send(...request);
        archiveZone = toArchiveZone(response) ?? archiveZone;
        return response;
      },
      onEvent: (event) => {
        options.onEvent?.(event);
        const text = toRequestLine(event);
        if (text !== undefined) console.debug(text);
      },
      baseUrl,
      ...access,
      userAgent: `${PROGRAM}/${readVersion()}`,
      profile: service,
    });
    return { client, baseUrl, by: toBy(target), service, archiveZone: () => archiveZone };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(error.message, { cause: error });
  }
}
