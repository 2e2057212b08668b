// The options of `serve`, for listening, access and monitoring, and their combined result.
import { type Command, Option } from "commander";
import { DEFAULT_TOKEN_LIFETIME_SECONDS } from "@call-media/service";
import {
  createPortOption,
  DEMO_FOLDER,
  toOrigins,
  toPort,
  toPositiveInteger,
  toRedirectLifetime,
  toShutdownTimeout,
  toSubnets,
  toTokenLifetime,
} from "../command-line/option-values.ts";
import { addPlaces, addReplica, type ReplicaFlags } from "../command-line/places.ts";
import { io, readGivenFile, UsageError } from "@call-media/terminal";
import { LOOPBACK } from "../http/proxy.ts";
import type { Certificate } from "../listen.ts";
import { LOG_FORMATS, LOG_LEVELS, type LogOptions } from "../observe/log.ts";
import { addConsole, type ConsoleFlags, toConsole } from "./console-options.ts";
import type { RunOptions } from "./run-service.ts";

export interface ServeFlags extends ReplicaFlags, ConsoleFlags {
  readonly host: string;
  readonly port: number;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly corsOrigin?: readonly string[];
  readonly tokenLifetime: number;
  readonly rateLimit?: number;
  readonly mediaRedirect?: true | number;
  readonly metricsHost: string;
  readonly metricsPort?: number;
  readonly logLevel: LogOptions["level"];
  readonly logFormat?: LogOptions["format"];
  readonly shutdownTimeout: number;
}

const DEFAULT_SHUTDOWN_TIMEOUT_SECONDS = 30;

const REDIRECT_SECONDS = 60;

/** In the order of the help. */
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

/** Throws `UsageError` for options that contradict each other, and for a certificate that cannot be read. */
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
    console: await toConsole(flags),
    metrics:
      flags.metricsPort === undefined
        ? undefined
        : { host: flags.metricsHost, port: flags.metricsPort },
    shutdownTimeoutMs: flags.shutdownTimeout * 1_000,
    log: { level: flags.logLevel, format: flags.logFormat ?? toDefaultFormat() },
  };
}

function checkTogether(flags: ServeFlags): void {
  const { tlsCert, tlsKey, behindProxy } = flags;
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw new UsageError("--tls-cert and --tls-key go together");
  if (tlsCert !== undefined && behindProxy !== undefined)
    throw new UsageError(
      "--behind-proxy means that the proxy has the certificate: leave out --tls-cert",
    );
}

/** Reads the current pair; undefined without one. Throws `UsageError`. */
export async function readCertificate({
  tlsCert,
  tlsKey,
}: ServeFlags): Promise<Certificate | undefined> {
  if (tlsCert === undefined || tlsKey === undefined) return undefined;
  return {
    cert: await readGivenFile("--tls-cert", tlsCert),
    key: await readGivenFile("--tls-key", tlsKey),
  };
}

function toDefaultFormat(): LogOptions["format"] {
  return io().stderr.isTTY ? "text" : "json";
}
