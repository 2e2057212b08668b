// The demo service as the target of the conformance kit, and a report as text for failed tests.
import type { ApiReport, Target, Yardstick } from "@call-media/conformance";
import { createListener, listen } from "@call-media/server";
import type { CallStore } from "@call-media/store";
import { openStore } from "@call-media/store/sqlite";
import { type DemoAccess, makeDemoArchive, startService } from "./demo-service.ts";

export const YARDSTICKS: readonly Yardstick[] = ["interface", "decisions"];
export const MAX_REQUESTS = 900;

export function toText({ verdict, reason, findings, skipped }: ApiReport) {
  const faults = findings.map(
    ({ requirement, fault, curl }) => `${requirement}: ${fault}\n${curl}`,
  );
  return { verdict, reason, faults, skipped: skipped.map(({ requirement }) => requirement) };
}

export interface DemoTarget extends AsyncDisposable {
  readonly access: DemoAccess;
  /** With all credentials, and an expired token. */
  readonly target: Target;
}

export async function startDemoTarget(): Promise<DemoTarget> {
  await using stack = new AsyncDisposableStack();
  const { access, directory } = stack.use(await makeDemoArchive());
  const store = stack.use(await openStore({ directory }));
  const { baseUrl } = stack.use(await startService(store));
  const { credentials, restricted, apiKey } = access;
  const expiredToken = await signInYesterday(store, credentials);
  const owned = stack.move();
  return {
    access,
    target: { baseUrl, credentials, restricted, apiKey, expiredToken },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function signInYesterday(store: CallStore, credentials: object): Promise<string> {
  const listener = createListener({ store, now: () => Date.now() - 86_400_000 });
  const { baseUrl, close } = await listen(listener, { host: "127.0.0.1", port: 0 });
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify(credentials);
  const response = await fetch(`${baseUrl}/Token`, { method: "POST", headers, body });
  const { access_token: token } = (await response.json()) as { access_token: string }; // the contract's form
  await close();
  return token;
}
