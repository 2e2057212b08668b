// The mock behind a gateway: requests that crash or hang Prism get a response too, as from a gateway before a service.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { startMock } from "./prism.ts";

const PROGRAM = fileURLToPath(new URL("prism-program.ts", import.meta.url));
// Prism answers in milliseconds; the conformance kit waits for ten seconds, and stops at three requests without an answer.
const PATIENCE_MS = 5000;

export interface PrismGateway extends AsyncDisposable {
  readonly baseUrl: string;
  /** Sends to Prism. 502: the response was interrupted, or the process has ended; 504: no response within five seconds. */
  readonly fetch: typeof fetch;
  /** The standard error of the Prism that gets badly encoded paths, once it ends. */
  readonly lastWords: Promise<string>;
}

/** Sends paths with invalid percent-encoding to a separate Prism process, so that its crash interrupts no other response. */
export async function startPrismGateway(): Promise<PrismGateway> {
  await using stack = new AsyncDisposableStack();
  const { baseUrl } = stack.use(await startMock());
  const child = spawn(process.execPath, [PROGRAM], { stdio: ["ignore", "pipe", "pipe"] });
  stack.defer(() => void child.kill());
  const lastWords = text(child.stderr);
  const printed = await Promise.race([once(child.stdout, "data"), lastWords]);
  if (typeof printed === "string") throw new Error(`Prism did not start: ${printed}`);
  const otherBaseUrl = String(printed[0]).trim();
  const owned = stack.move();
  return {
    baseUrl,
    fetch: (input, init) => {
      const { pathname, search } = new URL(input instanceof Request ? input.url : input);
      const upstream = isDecodable(pathname) ? baseUrl : otherBaseUrl;
      return forward(`${upstream}${pathname}${search}`, init);
    },
    lastWords,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function forward(url: string, init: RequestInit | undefined): Promise<Response> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch (error) {
    const isSilent = error instanceof Error && error.name === "TimeoutError";
    return new Response(null, { status: isSilent ? 504 : 502 });
  }
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false; // throws only for a bad encoding
  }
}
