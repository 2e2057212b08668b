// The console in Debian's Firefox, over WebDriver BiDi (https://w3c.github.io/webdriver-bidi), which Playwright cannot speak to it.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const PROGRAM = "/usr/bin/firefox-esr";

export const hasFirefox = existsSync(PROGRAM);

export interface FirefoxPage extends AsyncDisposable {
  readonly visit: (url: string) => Promise<void>;
  /** Runs a function body in the page as if its user had acted, and returns its JSON value. */
  readonly run: (body: string) => Promise<unknown>;
  /** Errors of the page, what its policy refused among them. */
  readonly faults: readonly string[];
}

export async function openFirefox(): Promise<FirefoxPage> {
  const profile = await mkdtemp(join(tmpdir(), "call-media-firefox-"));
  // Its sandbox needs what a container and root may not give.
  const firefox = spawn(
    PROGRAM,
    ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"],
    { env: { ...process.env, HOME: profile, MOZ_DISABLE_CONTENT_SANDBOX: "1" } },
  );
  const close = async (): Promise<void> => {
    if (firefox.exitCode === null) {
      firefox.kill();
      await once(firefox, "exit");
    }
    // Its helpers may write there a moment longer.
    await rm(profile, { recursive: true, maxRetries: 20, retryDelay: 100 });
  };
  try {
    return await connect(await readAddress(firefox), close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function readAddress({ stderr }: ChildProcess): Promise<string> {
  if (stderr === null) throw new Error("Firefox has no standard error");
  for await (const line of createInterface(stderr)) {
    const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? [];
    if (address !== undefined) {
      stderr.resume();
      return address;
    }
  }
  throw new Error("Firefox ended before it listened");
}

interface Message {
  readonly id?: number;
  readonly error?: string;
  readonly message?: string;
  readonly method?: string;
  readonly result?: Record<string, unknown>;
  readonly params?: { readonly level?: string; readonly text?: string };
}

async function connect(address: string, close: () => Promise<void>): Promise<FirefoxPage> {
  const socket = new WebSocket(`${address}/session`);
  await once(socket, "open");
  const waiting = new Map<number, (message: Message) => void>();
  const faults: string[] = [];
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as Message; // of the protocol
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    else if (message.method === "log.entryAdded" && message.params?.level === "error")
      faults.push(message.params.text ?? "");
  });
  let count = 0;
  const send = async (method: string, params: object): Promise<Record<string, unknown>> => {
    const id = ++count;
    const answered = new Promise<Message>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const { error, message, result = {} } = await answered;
    if (error !== undefined) throw new Error(`${method}: ${error}: ${message}`);
    return result;
  };
  await send("session.new", { capabilities: {} });
  await send("session.subscribe", { events: ["log.entryAdded"] });
  const { context } = await send("browsingContext.create", { type: "tab" });
  const run = async (body: string): Promise<unknown> => {
    const { result, exceptionDetails } = await send("script.evaluate", {
      expression: `(async () => JSON.stringify(await (async () => { ${body} })()))()`,
      target: { context },
      awaitPromise: true,
      userActivation: true,
    });
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    const { value } = result as { readonly value?: string }; // a string, or undefined
    return value === undefined ? undefined : JSON.parse(value);
  };
  return {
    faults,
    visit: async (url) =>
      void (await send("browsingContext.navigate", { context, url, wait: "complete" })),
    run,
    [Symbol.asyncDispose]: async () => {
      socket.close();
      await close();
    },
  };
}
