// Applications, tokens, API keys and sessions in memory (D18-D20, D35).
import { type OperatorAct } from "../port/access-log.ts";
import {
  type Application,
  type Bearer,
  type Credentials,
  type Issued,
  StoreFault,
  type Revocable,
  type Revocation,
} from "../port/index.ts";
import { toOperatorEntry } from "../values/access-chain.ts";
import { FORGET_AFTER_MS } from "../values/expiry.ts";
import { appendRow } from "./access-log.ts";
import type { Tables } from "./tables.ts";
import { findUser } from "./users.ts";

export function createCredentials(tables: Tables, now: () => number): Credentials {
  const { applications, bearers } = tables;
  const record = (act: OperatorAct | undefined) =>
    act === undefined ? undefined : appendRow(tables, toOperatorEntry(act));
  const checkUser = (id: number) => {
    if (findUser(tables, id) === undefined) throw new Error(`there is no user ${id}`);
  };
  const toIssued = <T extends { readonly userId: number }>({
    revokedMs,
    ...issued
  }: Revocable<T>): Issued<Omit<Revocable<T>, "revokedMs">> | undefined => {
    const user = findUser(tables, issued.userId);
    return user && { ...issued, user, isRevoked: revokedMs !== undefined };
  };
  const isTokenGood = ({ kind, expiresMs, revokedMs }: Revocable<Bearer>) =>
    kind === "token" && revokedMs === undefined && (expiresMs ?? Infinity) > now();

  return {
    addApplication: async (given, act) => {
      checkUser(given.userId);
      if (applications.has(given.secretID))
        throw new StoreFault("unavailable", `${given.secretID} is taken`);
      applications.set(given.secretID, { ...given });
      record(act);
    },
    application: async (secretID) => {
      const found = applications.get(secretID);
      return found && toIssued<Application>(found);
    },
    applications: async (userId) =>
      [...applications.values()]
        .filter((one) => userId === undefined || one.userId === userId)
        .toSorted((a, b) => a.createdMs - b.createdMs || compare(a.secretID, b.secretID))
        .map(({ keyHash: _hash, ...shown }) => ({
          ...shown,
          user: findUser(tables, shown.userId),
          tokens:
            shown.revokedMs === undefined
              ? [...bearers.values()].filter(
                  (one) => one.secretID === shown.secretID && isTokenGood(one),
                ).length
              : 0,
        })),
    keys: async (userId) =>
      [...bearers.values()]
        .filter(({ kind }) => kind === "key")
        .filter((one) => userId === undefined || one.userId === userId)
        .toSorted((a, b) => a.createdMs - b.createdMs || compare(a.id, b.id))
        .map(({ hash: _hash, kind: _kind, ...shown }) => ({
          ...shown,
          user: findUser(tables, shown.userId),
        })),
    addBearer: async (given, act) => {
      checkUser(given.userId);
      if (bearers.has(given.hash))
        throw new StoreFault("unavailable", `the bearer ${given.id} is taken`);
      for (const { hash, kind, expiresMs } of bearers.values())
        if (kind !== "key" && (expiresMs ?? Infinity) < now() - FORGET_AFTER_MS)
          bearers.delete(hash);
      bearers.set(given.hash, { ...given });
      record(act);
    },
    bearer: async (hash) => {
      const found = bearers.get(hash);
      return found && toIssued<Bearer>(withOpener(tables, found));
    },
    extendSession: async (hash, expiresMs) => {
      const found = bearers.get(hash);
      if (found?.kind === "session" && found.revokedMs === undefined)
        bearers.set(hash, { ...found, expiresMs });
    },
    revoke: async (which, act) => {
      const revoked = revoke(tables, which, now());
      if (revoked.applications + revoked.bearers > 0) record(act);
      return revoked;
    },
  };
}

/** Revoking the application or key ends the tokens and sessions opened with it, including one that was being opened meanwhile. */
function withOpener(
  { applications, bearers }: Tables,
  bearer: Revocable<Bearer>,
): Revocable<Bearer> {
  const application = applications.get(bearer.secretID ?? "");
  const key = [...bearers.values()].find(({ id }) => id === bearer.keyId);
  const revokedMs = bearer.revokedMs ?? application?.revokedMs ?? key?.revokedMs;
  const expiresMs = Math.min(bearer.expiresMs ?? Infinity, key?.expiresMs ?? Infinity);
  return {
    ...bearer,
    ...(bearer.expiresMs !== undefined && { expiresMs }),
    ...(revokedMs !== undefined && { revokedMs }),
  };
}

function revoke({ applications, bearers }: Tables, which: Revocation, revokedMs: number) {
  const revokeIn = <T>(rows: Map<string, Revocable<T>>, isMeant: (row: T) => boolean): number => {
    const meant = [...rows].filter(([, row]) => row.revokedMs === undefined && isMeant(row));
    for (const [key, row] of meant) rows.set(key, { ...row, revokedMs });
    return meant.length;
  };
  const ofBearers = (isMeant: (bearer: Bearer) => boolean) => ({
    applications: 0,
    bearers: revokeIn<Bearer>(bearers, isMeant),
  });
  if ("application" in which) {
    const isOfIt = ({ secretID }: { readonly secretID?: string }) => secretID === which.application;
    const ofApplications = revokeIn<Application>(applications, isOfIt);
    return { ...ofBearers(isOfIt), applications: ofApplications };
  }
  if ("key" in which) {
    const counted = ofBearers(({ kind, id }) => kind === "key" && id === which.key);
    ofBearers(({ keyId }) => keyId === which.key);
    return counted;
  }
  if ("tokenHash" in which)
    return ofBearers(({ kind, hash }) => kind !== "key" && hash === which.tokenHash);
  if ("sessionsOf" in which)
    return ofBearers(({ kind, userId }) => kind === "session" && userId === which.sessionsOf);
  const { tokensOf: of } = which;
  return "userId" in of
    ? ofBearers(({ kind, userId }) => kind !== "key" && userId === of.userId)
    : ofBearers(({ secretID }) => secretID === of.secretID);
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
