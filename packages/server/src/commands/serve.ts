// `call-media-server serve`: the service over an archive, until it is told to stop.
import { readFile } from "node:fs/promises";
import { openStore } from "@call-media/store/sqlite";
import { type Command, Option } from "commander";
import { describeLimits } from "../http/limits.ts";
import { LOOPBACK } from "../http/proxy.ts";
import type { Certificate, Listening } from "../listen.ts";
import { type Log, LOG_FORMATS, LOG_LEVELS, type LogOptions } from "../observe/log.ts";
import { DEFAULT_TOKEN_LIFETIME_SECONDS } from "../service.ts";
import { DEMO_FOLDER } from "./demo.ts";
import {
  createPortOption,
  toOrigins,
  toPort,
  toPositiveInteger,
  toShutdownTimeout,
  toSubnets,
  toTokenLifetime,
} from "./option-values.ts";
import { runService, type RunOptions } from "./run-service.ts";
import { UsageError } from "./usage-error.ts";
import { createUpgradeProgress } from "./upgrade-progress.ts";

const HELP = `
Without a certificate the service listens on this machine only (127.0.0.1), because secrets and records would travel
unencrypted. To serve others, give it a certificate, or state that a proxy in front of it terminates TLS:
  $ call-media-server serve --data ./archive --host 0.0.0.0 --port 443 --tls-cert cert.pem --tls-key key.pem
  $ call-media-server serve --data ./archive --behind-proxy
  $ call-media-server serve --data ./archive --host 0.0.0.0 --behind-proxy 10.1.0.0/16
X-Forwarded-For and X-Forwarded-Proto are trusted when the connection comes from an address given to --behind-proxy;
without addresses, from this machine.

After the certificate files were replaced, send SIGHUP: new connections use the new pair. If the pair does not fit,
that is logged and the old one stays in use.

Limits, and how a request beyond them is answered:
${describeLimits().replace(/^/gm, "  ")}

The documentation is at /docs, the contract at /openapi.yaml and /openapi.json.

/healthz says whether the process is up, /readyz whether it can answer; neither needs credentials. With
--metrics-port, Prometheus finds /metrics on that port, and both of these. With OTEL_EXPORTER_OTLP_ENDPOINT set,
traces are sent over OTLP/HTTP.

Ctrl-C or SIGTERM lets running answers finish; a second one stops at once.

Exit code: 0 stopped, 1 the service could not run, 2 stopped, but some answers were cut off.`;

interface ServeFlags {
  readonly data: string;
  readonly host: string;
  readonly port: number;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly behindProxy?: true | readonly string[];
  readonly corsOrigin?: readonly string[];
  readonly tokenLifetime: number;
  readonly rateLimit?: number;
  readonly metricsPort?: number;
  readonly logLevel: LogOptions["level"];
  readonly logFormat?: LogOptions["format"];
  readonly shutdownTimeout: number;
}

const DEFAULT_SHUTDOWN_TIMEOUT_SECONDS = 30;

export function addServeCommand(program: Command): void {
  program
    .command("serve")
    .description("answer requests from an archive")
    .option("--data <dir>", "the folder of the archive", DEMO_FOLDER)
    .option("--host <address>", "the address to listen on", "127.0.0.1")
    .addOption(createPortOption())
    .option("--tls-cert <file>", "PEM certificate chain; with --tls-key the service speaks HTTPS")
    .option("--tls-key <file>", "PEM private key of the certificate")
    .option(
      "--behind-proxy [addresses...]",
      "a proxy in front terminates TLS; it connects from these addresses or subnets",
      toSubnets,
    )
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
    .option("--metrics-port <number>", "serve /metrics on this port of 127.0.0.1", toPort)
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
    )
    .option(
      "--shutdown-timeout <seconds>",
      "how long running answers may take to finish at a stop, 0 to 86400",
      toShutdownTimeout,
      DEFAULT_SHUTDOWN_TIMEOUT_SECONDS,
    )
    .addHelpText("after", HELP)
    .action(async (flags: ServeFlags) => {
      const onUpgrade = createUpgradeProgress();
      await using store = await openStore({ directory: flags.data, onUpgrade });
      await runService(store, await toOptions(flags));
    });
}

// As nginx and others are told that a certificate was renewed.
function renewOnHangup(flags: ServeFlags, listening: Listening, { events }: Log): void {
  process.on("SIGHUP", () => {
    const renew = async () => {
      const pair = await readCertificate(flags);
      if (pair !== undefined) listening.useCertificate(pair);
    };
    renew().then(
      () => events.info({ certificate: flags.tlsCert }, "certificate renewed"),
      (err: unknown) => events.error({ err }, "certificate not renewed, the old one stays"),
    );
  });
}

async function readCertificate({ tlsCert, tlsKey }: ServeFlags): Promise<Certificate | undefined> {
  if (tlsCert === undefined || tlsKey === undefined) return undefined;
  return {
    cert: await readPem("--tls-cert", tlsCert),
    key: await readPem("--tls-key", tlsKey),
  };
}

async function toOptions(flags: ServeFlags): Promise<RunOptions> {
  const { data, host, port, tlsCert, tlsKey, behindProxy, tokenLifetime, rateLimit } = flags;
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw new UsageError("--tls-cert and --tls-key go together");
  if (tlsCert !== undefined && behindProxy !== undefined)
    throw new UsageError(
      "--behind-proxy means that the proxy has the certificate: leave out --tls-cert",
    );
  return {
    host,
    port,
    tls: await readCertificate(flags),
    isBehindProxy: behindProxy !== undefined,
    proxies: behindProxy === true ? LOOPBACK : (behindProxy ?? []),
    corsOrigins: flags.corsOrigin ?? [],
    tokenLifetimeSeconds: tokenLifetime,
    requestsPerMinute: rateLimit,
    metricsPort: flags.metricsPort,
    shutdownTimeoutMs: flags.shutdownTimeout * 1_000,
    log: { level: flags.logLevel, format: flags.logFormat ?? toDefaultFormat() },
    onListening: (listening, log) => {
      if (tlsCert !== undefined) renewOnHangup(flags, listening, log);
      console.log(
        `Serving ${data} at ${listening.baseUrl}, documentation at ${listening.baseUrl}/docs`,
      );
    },
  };
}

function toDefaultFormat(): LogOptions["format"] {
  return process.stderr.isTTY ? "text" : "json";
}

function readPem(option: string, file: string): Promise<string> {
  return readFile(file, "utf8").catch((error: Error) => {
    throw new UsageError(`${option}: ${file} cannot be read (${error.message})`, { cause: error });
  });
}
