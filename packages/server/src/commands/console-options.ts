// The options of `serve` for people who sign in to the console: sessions, and the proxy that names users (D35).
import { readFile, stat } from "node:fs/promises";
import type { Command } from "commander";
import { NAMED_BY_PROXY } from "@call-media/service";
import { UsageError } from "@call-media/terminal";
import { toHeaderName, toIdleTimeout } from "../command-line/option-values.ts";
import { DEFAULT_IDLE_SECONDS, type SessionOptions } from "../console/session.ts";
import { PROXY_SECRET_HEADER } from "../http/proxy.ts";
import type { RunOptions } from "./run-service.ts";

export interface ConsoleFlags {
  readonly tlsCert?: string;
  readonly behindProxy?: true | readonly string[];
  readonly consoleSession?: true;
  readonly consoleIdleTimeout: number;
  readonly consoleUserHeader?: string;
  readonly consoleUserSecretFile?: string;
  readonly consoleUserAdmins?: true;
}

export function addConsole(serve: Command): void {
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
    )
    .option(
      "--console-user-secret-file <file>",
      `the secret that the proxy sends along in ${PROXY_SECRET_HEADER}; without it no user is believed`,
    )
    .option(
      "--console-user-admins",
      "let the proxy sign administrators in too (default: they need a key)",
    );
}

/**
 * Undefined: no sessions. Over plain HTTP, browsers send the cookie to any other server of the same host name, and anyone can run one
 * on this machine. Throws `UsageError` for options that contradict each other, and for a secret that cannot be used.
 */
export async function toConsole(flags: ConsoleFlags): Promise<SessionOptions | undefined> {
  checkNaming(flags);
  const isSecure = flags.tlsCert !== undefined || flags.behindProxy !== undefined;
  if (!isSecure && flags.consoleSession === undefined) return undefined;
  const idleMs = flags.consoleIdleTimeout * 1_000;
  const { consoleUserHeader: userHeader, consoleUserSecretFile: file } = flags;
  if (userHeader === undefined || file === undefined) return { isSecure, idleMs };
  const mayNameAdmins = flags.consoleUserAdmins === true;
  return {
    isSecure,
    idleMs,
    naming: { userHeader, secret: await readSecret(file), mayNameAdmins },
  };
}

function checkNaming(flags: ConsoleFlags): void {
  const { behindProxy, consoleUserHeader, consoleUserSecretFile, consoleUserAdmins } = flags;
  if (consoleUserHeader === undefined) {
    if (consoleUserSecretFile === undefined && consoleUserAdmins === undefined) return;
    throw new UsageError(
      "--console-user-secret-file and --console-user-admins go with --console-user-header, the header in which your proxy names the user",
    );
  }
  if (!isNamed(behindProxy))
    throw new UsageError(
      "--console-user-header needs the addresses of your proxies, as in --behind-proxy 10.1.2.3: whoever else may connect could send the header, and be any user",
    );
  if (consoleUserSecretFile === undefined)
    throw new UsageError(
      `--console-user-header needs --console-user-secret-file: every program that connects from an address of your proxies could send the header. Write a secret with "openssl rand -hex 32", and let your proxy send it in ${PROXY_SECRET_HEADER}`,
    );
  if (consoleUserHeader.toLowerCase() === PROXY_SECRET_HEADER.toLowerCase())
    throw new UsageError(
      `--console-user-header: ${PROXY_SECRET_HEADER} is the header of the secret; the name of the user needs another`,
    );
  if (TAKEN.has(consoleUserHeader.toLowerCase()))
    throw new UsageError(
      `--console-user-header: ${consoleUserHeader} has a meaning of its own, and callers decide what is in it; name one that your proxy alone sets, such as X-Forwarded-User`,
    );
}

/** Headers of HTTP, of browsers and of proxies. They come in requests that do not name a user. */
const TAKEN = new Set(
  "host cookie authorization proxy-authorization forwarded x-forwarded-for x-forwarded-proto x-forwarded-host x-real-ip via from origin referer user-agent accept accept-encoding accept-language connection content-type content-length range prefer traceparent x-request-id x-call-media-console".split(
    " ",
  ),
);

// A bare --behind-proxy trusts each program on this machine, and a subnet with the prefix 0 trusts everyone.
function isNamed(proxies: ConsoleFlags["behindProxy"]): boolean {
  return Array.isArray(proxies) && !proxies.some((one: string) => /\/0+$/.test(one));
}

// Visible ASCII, which every proxy forwards unchanged. 32 hexadecimal digits are 128 bits.
const SECRET = /^[\x21-\x7e]{32,1024}$/;
const READABLE_BY_OTHERS = 0o004;

async function readSecret(file: string): Promise<string> {
  const option = `--console-user-secret-file: ${file}`;
  const reading = Promise.all([readFile(file, "utf8"), stat(file)]);
  const [text, { mode }] = await reading.catch((error: Error) => {
    throw new UsageError(`${option} cannot be read (${error.message})`, { cause: error });
  });
  if (process.platform !== "win32" && (mode & READABLE_BY_OTHERS) !== 0)
    throw new UsageError(
      `${option} can be read by every user of this machine, who could then be any user of the console: chmod o= ${file}`,
    );
  const secret = text.trim();
  if (!SECRET.test(secret))
    throw new UsageError(
      `${option} must hold one line of 32 to 1024 visible ASCII characters: write it with "openssl rand -hex 32"`,
    );
  return secret;
}

/** A sentence for the operator about the proxies that the service trusts, and for what; undefined if it trusts none. */
export function describeTrust({ proxies = [], console }: TrustOptions): string | undefined {
  if (proxies.length === 0) return undefined;
  const naming = console?.naming;
  const who = naming?.mayNameAdmins === true ? "administrators too" : "no administrator";
  const names =
    naming === undefined
      ? ""
      : `, and with the secret in ${PROXY_SECRET_HEADER} the user of the console in ${naming.userHeader} (${NAMED_BY_PROXY}: ${who})`;
  return `Trusted from ${proxies.join(", ")} alone: X-Forwarded-For and X-Forwarded-Proto${names}. Your proxy must set each of them itself.`;
}

type TrustOptions = Pick<RunOptions, "proxies" | "console">;
