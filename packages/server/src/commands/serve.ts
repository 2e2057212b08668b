// `call-media-server serve`: runs the service over an archive until a signal stops it.
import { X509Certificate } from "node:crypto";
import { openStore } from "@call-media/store/open";
import type { Command } from "commander";
import { DEMO_FOLDER } from "../command-line/option-values.ts";
import { describePlaces, toReplicated } from "../command-line/places.ts";
import { console, io, UsageError } from "@call-media/terminal";
import { describeLimits } from "../http/limits.ts";
import type { Certificate } from "../listen.ts";
import type { Log } from "../observe/log.ts";
import { describeTrust } from "./console-options.ts";
import { runService } from "./run-service.ts";
import {
  addServeOptions,
  readCertificate,
  type ServeFlags,
  toRunOptions,
} from "./serve-options.ts";

const HELP = `
Without a certificate the service listens on this machine only (127.0.0.1), because secrets and records would travel
unencrypted. To serve others, give it a certificate, or state that a proxy in front of it terminates TLS:
  $ call-media-server serve --data ./archive --host 0.0.0.0 --port 443 --tls-cert cert.pem --tls-key key.pem
  $ call-media-server serve --data ./archive --behind-proxy
  $ call-media-server serve --data ./archive --host 0.0.0.0 --behind-proxy 10.1.0.0/16
X-Forwarded-For and X-Forwarded-Proto are trusted when the connection comes from an address given to --behind-proxy;
without addresses, from this machine. The proxy has to send both, or who asks, and over plain HTTP, is not known.

A proxy that signs people in names them to the console, and proves it by a secret that only it and the service know:
  $ openssl rand -hex 32 > proxy-secret && chmod 600 proxy-secret
  $ call-media-server serve --data ./archive --behind-proxy 10.1.2.3 --console-user-header X-Forwarded-User --console-user-secret-file proxy-secret
The proxy has to set both headers in every request, X-Forwarded-User and X-Call-Media-Proxy-Secret, and to remove what
callers send in them. A user without the secret, or with a wrong one, is not believed. Without --console-user-admins
administrators sign in with a key of their own. A session lasts while the proxy names the same user. The start says
which headers are trusted, and from where; rows of the access log say "named by the proxy".

After the certificate files were replaced, send SIGHUP: new connections use the new pair. If the pair does not fit,
that is logged and the old one stays in use.

With --media-redirect, a request for a whole recording that has the header "Prefer: redirect" is answered 307, with a
signed URL of the bucket. That spares the service, and gives up what it does for each download: whoever has the URL hears
the recording until it expires; the access log says "handed out", not which bytes were read; a download goes on when a
key or a right is revoked; and nobody compares the bytes, of which the last part of the URL's path is the SHA-256. The
caller has to reach the bucket and to trust its host, and must not send it the key of the service. Callers who do not
ask get the bytes from the service, as do ranges and the console.

Limits, and how a request beyond them is answered:
${describeLimits().replace(/^/gm, "  ")}

The documentation is at /docs, the contract at /openapi.yaml and /openapi.json.

/healthz says whether the process is up, /readyz whether it can answer; neither needs credentials. With
--metrics-port, Prometheus finds /metrics on that port, and both of these. With OTEL_EXPORTER_OTLP_ENDPOINT set,
traces are sent over OTLP/HTTP.

Ctrl-C or SIGTERM lets running answers finish; a second one stops at once.

Exit code: 0 stopped, 1 the service could not run, 2 stopped, but some answers were cut off.`;

export function configureServe(command: Command): void {
  addServeOptions(command).addHelpText("after", HELP).action(runServe);
}

async function runServe(flags: ServeFlags): Promise<void> {
  const places = toReplicated(flags, DEMO_FOLDER);
  const behind: string[] = [];
  await using store = await openStore(places, { onBehind: (why) => behind.push(why) });
  if (flags.mediaRedirect !== undefined && store.media.presign === undefined)
    throw new UsageError(
      "--media-redirect needs recordings in a bucket that is reached over https: name it with --media s3://...",
    );
  const options = await toRunOptions(flags);
  const { signals = process } = io();
  let onHangup = () => {};
  let certificate = options.tls;
  await runService(store, {
    ...options,
    certificateEndMs: () => certificate && toEndMs(certificate),
    onListening: (listening, log) => {
      for (const why of behind)
        log.events.error({ why }, "what a purge took out may still be served");
      if (options.tls !== undefined) tellCertificate(options.tls, "certificate in use", log);
      onHangup = renewOnHangup(flags, log, (pair) => {
        listening.useCertificate(pair);
        certificate = pair;
      });
      console.log(
        `Serving ${describePlaces(places)} at ${listening.baseUrl}, documentation at ${listening.baseUrl}/docs`,
      );
      const trust = describeTrust(options);
      if (trust !== undefined) console.log(trust);
    },
  }).finally(() => signals.off("SIGHUP", onHangup));
}

// SIGHUP renews the certificate, as for nginx and others. Without a certificate it ends the service only when a terminal is closed: an
// operator who reloads the service does not want to end it.
function renewOnHangup(flags: ServeFlags, log: Log, use: (pair: Certificate) => void): () => void {
  const renew = async () => {
    const pair = await readCertificate(flags);
    if (pair === undefined) return log.events.info("nothing to renew: there is no certificate");
    use(pair);
    tellCertificate(pair, "certificate renewed", log);
  };
  const onHangup = () =>
    void renew().catch((err: unknown) =>
      log.events.error({ err }, "certificate not renewed, the old one stays"),
    );
  const { stderr, signals = process } = io();
  if (flags.tlsCert !== undefined || !stderr.isTTY) signals.on("SIGHUP", onHangup);
  return onHangup;
}

const toEndMs = ({ cert }: Certificate): number => new X509Certificate(cert).validToDate.getTime();

// The log line shows the expiry, so the operator notices if a renewal left the old file in place.
function tellCertificate({ cert }: Certificate, what: string, { events }: Log): void {
  const { validFromDate, validToDate } = new X509Certificate(cert);
  const [from, until] = [validFromDate.toISOString(), validToDate.toISOString()];
  const now = new Date();
  if (now >= validFromDate && now < validToDate) events.info({ until }, what);
  else events.warn({ from, until }, `${what}, but not valid now: clients will refuse it`);
}
