// The options of `serve`: where it listens, whom it answers, what it tells, and what all of them come to.
import { readFile } from "node:fs/promises";
import { type Command, Option } from "commander";
import { DEFAULT_TOKEN_LIFETIME_SECONDS } from "@call-media/service";
import {
  createPortOption,
  DEMO_FOLDER,
  toOrigins,
  toPort,
  toHeaderName,
  toIdleTimeout,
  toPositiveInteger,
  toRedirectLifetime,
  toShutdownTimeout,
  toSubnets,
  toTokenLifetime,
} from "../command-line/option-values.ts";
import { addPlaces, addReplica, type ReplicaFlags } from "../command-line/places.ts";
import { io, UsageError } from "@call-media/terminal";
import { DEFAULT_IDLE_SECONDS } from "../console/session.ts";
import { LOOPBACK } from "../http/proxy.ts";
import type { Certificate } from "../listen.ts";
import { LOG_FORMATS, LOG_LEVELS, type LogOptions } from "../observe/log.ts";
import type { RunOptions } from "./run-service.ts";

export interface ServeFlags extends ReplicaFlags {
  readonly host: string;
  readonly port: number;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly behindProxy?: true | readonly string[];
  readonly corsOrigin?: readonly string[];
  readonly tokenLifetime: number;
  readonly rateLimit?: number;
  readonly mediaRedirect?: true | number;
  readonly consoleSession?: true;
  readonly consoleIdleTimeout: number;
  readonly consoleUserHeader?: string;
  readonly metricsHost: string;
  readonly metricsPort?: number;
  readonly logLevel: LogOptions["level"];
  readonly logFormat?: LogOptions["format"];
  readonly shutdownTimeout: number;
}

const DEFAULT_SHUTDOWN_TIMEOUT_SECONDS = 30;

const REDIRECT_SECONDS = 60;

/** In the order in which the help lists them. */
export function addServeOptions(serve: Command): Command {
  addPlaces(serve, `the folder of the archive (default: ${DEMO_FOLDER})`);
  addReplica(serve);
  addListening(serve);
  addAccess(serve);
  addConsole(serve);
  addTelling(serve);
  return serve.option(
    "--shutdown-timeout <seconds>",
    "how long running answers may take to finish at a stop, 0 to 86400",
    toShutdownTimeout,
    DEFAULT_SHUTDOWN_TIMEOUT_SECONDS,
  );
}

function addListening(serve: Command): void {
  serve
    .option("--host <address>", "the address to listen on", "127.0.0.1")
    .addOption(createPortOption())
    .option("--tls-cert <file>", "PEM certificate chain; with --tls-key the service speaks HTTPS")
    .option("--tls-key <file>", "PEM private key of the certificate")
    .option(
      "--behind-proxy [addresses...]",
      "a proxy in front terminates TLS; it connects from these addresses or subnets",
      toSubnets,
    );
}

function addAccess(serve: Command): void {
  serve
    .option(
      "--cors-origin <origins...>",
      "web origins that may read answers in a browser, such as https://app.example.com",
      toOrigins,
    )
    .option(
      "--token-lifetime <seconds>",
      "how long a token is valid, 60 to 86400",
      toTokenLifetime,
      DEFAULT_TOKEN_LIFETIME_SECONDS,
    )
    .option(
      "--rate-limit <requests>",
      "data requests a minute for each application or key (default: unlimited)",
      toPositiveInteger,
    )
    .option(
      "--media-redirect [seconds]",
      `send callers who ask for it to the bucket, by a URL that is valid for 1 to 300 seconds (default: ${REDIRECT_SECONDS} if given, else nobody)`,
      toRedirectLifetime,
    );
}

function addConsole(serve: Command): void {
  serve
    .option(
      "--console-session",
      "let people sign in to the console by cookie over plain HTTP on this machine too (default: over HTTPS alone)",
    )
    .option(
      "--console-idle-timeout <seconds>",
      "how long a session of the console lives without use, 60 to 43200",
      toIdleTimeout,
      DEFAULT_IDLE_SECONDS,
    )
    .option(
      "--console-user-header <name>",
      "the header in which a proxy named by --behind-proxy says which user it has signed in",
      toHeaderName,
    );
}

function addTelling(serve: Command): void {
  serve
    .option("--metrics-port <number>", "serve /metrics on this port", toPort)
    .option("--metrics-host <address>", "the address that --metrics-port is on", "127.0.0.1")
    .addOption(
      new Option("--log-level <level>", "the least important messages to log")
        .choices(LOG_LEVELS)
        .default("info"),
    )
    .addOption(
      new Option(
        "--log-format <format>",
        "of the log; left out: text on a terminal, json elsewhere",
      ).choices(LOG_FORMATS),
    );
}

/** Throws `UsageError` for options that do not go together, and for a certificate that cannot be read. */
export async function toRunOptions(flags: ServeFlags): Promise<Omit<RunOptions, "onListening">> {
  checkTogether(flags);
  const { behindProxy, mediaRedirect } = flags;
  return {
    host: flags.host,
    port: flags.port,
    tls: await readCertificate(flags),
    isBehindProxy: behindProxy !== undefined,
    proxies: behindProxy === true ? LOOPBACK : (behindProxy ?? []),
    corsOrigins: flags.corsOrigin ?? [],
    tokenLifetimeSeconds: flags.tokenLifetime,
    requestsPerMinute: flags.rateLimit,
    mediaRedirectSeconds: mediaRedirect === true ? REDIRECT_SECONDS : mediaRedirect,
    console: toConsole(flags),
    metrics:
      flags.metricsPort === undefined
        ? undefined
        : { host: flags.metricsHost, port: flags.metricsPort },
    shutdownTimeoutMs: flags.shutdownTimeout * 1_000,
    log: { level: flags.logLevel, format: flags.logFormat ?? toDefaultFormat() },
  };
}

// Over plain HTTP any other server of the same host name is sent the cookie, and anybody can run one on this machine.
function toConsole(flags: ServeFlags): RunOptions["console"] {
  const isSecure = flags.tlsCert !== undefined || flags.behindProxy !== undefined;
  if (!isSecure && flags.consoleSession === undefined) return undefined;
  const { consoleIdleTimeout, consoleUserHeader: userHeader } = flags;
  return { isSecure, idleMs: consoleIdleTimeout * 1_000, userHeader };
}

function checkTogether(flags: ServeFlags): void {
  const { tlsCert, tlsKey, behindProxy, consoleUserHeader } = flags;
  if (consoleUserHeader !== undefined && !isNamed(behindProxy))
    throw new UsageError(
      "--console-user-header needs the addresses of your proxies, as in --behind-proxy 10.1.2.3: whoever else may connect could send the header, and be any user",
    );
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw new UsageError("--tls-cert and --tls-key go together");
  if (tlsCert !== undefined && behindProxy !== undefined)
    throw new UsageError(
      "--behind-proxy means that the proxy has the certificate: leave out --tls-cert",
    );
}

// A bare --behind-proxy believes each program of this machine, and a subnet without a prefix everybody.
function isNamed(proxies: ServeFlags["behindProxy"]): boolean {
  return Array.isArray(proxies) && !proxies.some((one: string) => /\/0+$/.test(one));
}

/** Whose word the service takes for what, in a sentence for the operator; undefined if nobody's. */
export function describeTrust({ proxies = [], console }: TrustOptions): string | undefined {
  if (proxies.length === 0) return undefined;
  const user = console?.userHeader;
  const names = user === undefined ? "" : `, and ${user} names the user of the console`;
  return `Trusted from ${proxies.join(", ")} alone: X-Forwarded-For and X-Forwarded-Proto${names}. Your proxy must set each of them itself.`;
}

type TrustOptions = Pick<RunOptions, "proxies" | "console">;

/** The pair as it is now; undefined without one. Throws `UsageError`. */
export async function readCertificate({
  tlsCert,
  tlsKey,
}: ServeFlags): Promise<Certificate | undefined> {
  if (tlsCert === undefined || tlsKey === undefined) return undefined;
  return {
    cert: await readPem("--tls-cert", tlsCert),
    key: await readPem("--tls-key", tlsKey),
  };
}

function toDefaultFormat(): LogOptions["format"] {
  return io().stderr.isTTY ? "text" : "json";
}

function readPem(option: string, file: string): Promise<string> {
  return readFile(file, "utf8").catch((error: Error) => {
    throw new UsageError(`${option}: ${file} cannot be read (${error.message})`, { cause: error });
  });
}
