// The callers of a run: the first, the second with fewer rights, and the placeholders for their secrets.
import { type RestrictedCaller } from "./checks/check.ts";
import { tokenOf } from "./checks/token.ts";
import { type Answer, isSuccess } from "./answer.ts";
import type { Secrets } from "../http/secrets.ts";
import { Ended } from "../http/sender.ts";
import type { Target } from "./report.ts";
import { type Run, unless } from "./run.ts";

const LOOPBACK = /^(?:(?:.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export function keepSecrets(secrets: Secrets, target: Target): void {
  const { credentials, apiKey, restricted, expiredToken } = target;
  if (credentials !== undefined) {
    secrets.add(credentials.secretID, "$SECRET_ID");
    secrets.add(credentials.secretKey, "$SECRET_KEY");
  }
  if (apiKey !== undefined) secrets.add(apiKey, "$API_KEY");
  if (expiredToken !== undefined) secrets.add(expiredToken, "$EXPIRED_TOKEN");
  if (restricted === undefined) return;
  if ("apiKey" in restricted) return secrets.add(restricted.apiKey, "$RESTRICTED_API_KEY");
  secrets.add(restricted.secretID, "$RESTRICTED_SECRET_ID");
  secrets.add(restricted.secretKey, "$RESTRICTED_SECRET_KEY");
}

/**
 * Returns the response with the token; undefined if the API key is the only credential. Throws `Ended` if the service accepts neither: the
 * run cannot continue then.
 */
export async function signIn(run: Run, target: Target): Promise<Answer | undefined> {
  const { credentials, apiKey } = target;
  if (credentials === undefined) {
    run.signIn(`Bearer ${apiKey}`);
    const answer = await run.ask({ operation: "listPublicFlags" });
    proveAddress(run, target, answer);
    if (answer.status === 401) throw new Ended("the API key was answered 401", true);
    return undefined;
  }
  const answer = await run.ask({
    operation: "createToken",
    body: credentials,
    authorization: null,
  });
  proveAddress(run, target, answer);
  const token = tokenOf(answer);
  if (!isSuccess(answer)) throw new Ended(`signing in was answered ${toText(answer)}`, true);
  if (token === undefined) throw new Ended("signing in brought no access_token", true);
  run.signIn(`Bearer ${token}`);
  return answer;
}

function proveAddress(run: Run, { baseUrl }: Target, { sent, came }: Answer): void {
  const { protocol, hostname } = new URL(baseUrl);
  const isSafe = protocol === "https:" || LOOPBACK.test(hostname);
  run.proveOf("base.https", { sent, came }, unless(isSafe, "the base address uses plain HTTP"));
}

/** A redirect is never followed: it would send the secret to another host. */
function toText({ status, came }: Answer): string {
  const location = came.headers["location"];
  return location === undefined ? String(status) : `${status}, to ${location}`;
}

/** Throws `Ended` if the service does not accept the second caller: checks of their rights would be wrong. */
export async function meetRestricted(
  run: Run,
  { restricted, credentials, apiKey }: Target,
): Promise<RestrictedCaller | undefined> {
  if (restricted === undefined) return undefined;
  const isFirst =
    "apiKey" in restricted
      ? restricted.apiKey === apiKey
      : restricted.secretID === credentials?.secretID;
  if (isFirst) throw new Ended("the second caller is the first one: it proves no right", true);
  if ("apiKey" in restricted) {
    const authorization = `Bearer ${restricted.apiKey}`;
    const { status } = await run.ask({ operation: "listPublicFlags", authorization });
    if (status === 401) throw new Ended("the second caller's API key was answered 401", true);
    return { authorization };
  }
  const answer = await run.ask({ operation: "createToken", body: restricted, authorization: null });
  const token = tokenOf(answer);
  if (!isSuccess(answer) || token === undefined)
    throw new Ended(`signing in as the second caller was answered ${toText(answer)}`, true);
  return { authorization: `Bearer ${token}` };
}
