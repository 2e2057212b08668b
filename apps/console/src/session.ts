// The signed-in user and the service: the only module that gets a secret, which it passes to the access and forgets.
import { CallMediaError, readCaller } from "@call-media/client";
import { batch, signal } from "@preact/signals";
import { type Access, openSecretAccess, openSessionAccess, OWN, type Secret } from "./access.ts";
import { type Fault, FaultError, toFault } from "./faults.ts";
import { registerSound, unregisterSound } from "./player/sound-worker.ts";

export interface Person {
  /** Empty where the service does not say who an administrator is. */
  readonly username: string;
  readonly isAdmin: boolean;
  /** With what the session was opened. */
  readonly by: "application" | "API key" | "proxy";
  /** When the session ends by itself; undefined without a session of the server. */
  readonly ends: string | undefined;
}

export interface SignedIn {
  readonly person: Person;
  readonly access: Access;
}

/** Where the calls are, and how one signs in there. */
export interface Place {
  readonly kind: Access["kind"];
  readonly baseUrl: string;
  /** The user that the proxy in front of the server has signed in: there is nothing to type. */
  readonly proxyUser?: string | undefined;
}

export const place = signal<Place | undefined>(undefined);
export const signedIn = signal<SignedIn | undefined>(undefined);

/** Why the user whom the proxy names could not be signed in when the page was opened. */
export const proxyFault = signal<Fault | undefined>(undefined);

/** Why what is on the page is hidden until the same person has signed in again. */
export const lock = signal<"idle" | "refused" | undefined>(undefined);

const HERE = new URL(".", location.href.split("#")[0]).href;
const SESSION = `${HERE}session`;

const others = new BroadcastChannel("call-media");

/** Finds the service, and a user who is signed in there already. @throws FaultError */
export async function findPlace(): Promise<void> {
  const service = await readConfig();
  if (service !== "") {
    place.value = { kind: "secret", baseUrl: new URL(service, HERE).href.replace(/\/$/, "") };
    return;
  }
  const answer = await askSession();
  if (answer === undefined) {
    // A server without sessions: the contract's own paths are on the console's host.
    place.value = { kind: "secret", baseUrl: new URL("..", HERE).href.replace(/\/$/, "") };
    return;
  }
  const { proxyUser, user } = answer;
  place.value = { kind: "session", baseUrl: `${HERE}api`, proxyUser };
  if (user !== null) await enter(openSessionAccess(`${HERE}api`), toPerson(answer));
  else if (proxyUser !== undefined)
    await signInByProxy().catch((error: unknown) => (proxyFault.value = toFault(error)));
}

async function readConfig(): Promise<string> {
  const response = await fetch(`${HERE}config.json`).catch(() => undefined);
  if (response?.ok !== true) return "";
  const config: unknown = await response.json().catch(() => undefined);
  return config instanceof Object && "service" in config ? String(config.service) : "";
}

/** As GET of the session answers it. */
interface SessionAnswer {
  readonly user: { readonly username: string; readonly is_admin: boolean } | null;
  /** The user that the proxy in front of the server has signed in. */
  readonly proxyUser?: string;
  readonly by?: Person["by"];
  readonly ends?: string;
}

/** Undefined where the server has no sessions. `idle` asks without being of use to the session. */
async function askSession(use: "1" | "idle" = "1"): Promise<SessionAnswer | undefined> {
  const headers = { "X-Call-Media-Console": use };
  const response = await fetch(SESSION, { headers }).catch((cause: unknown) => {
    throw new FaultError({ kind: "unreachable" }, { cause });
  });
  if (!response.headers.get("Content-Type")?.includes("json")) return undefined;
  // Other paths of this page would be refused as well.
  if (response.status === 403) throw await FaultError.fromResponse(response);
  if (!response.ok) return undefined;
  const answer: unknown = await response.json();
  // Any other answer at this address means that there is no session.
  return answer instanceof Object && "user" in answer ? (answer as SessionAnswer) : undefined;
}

const toPerson = ({ user, by = "API key", ends }: SessionAnswer): Person => ({
  username: user?.username ?? "",
  isAdmin: user?.is_admin ?? false,
  by,
  ends,
});

/** @throws CallMediaError or FaultError, which say why not. */
export async function signIn(secret: Secret): Promise<void> {
  const found = place.value;
  if (found === undefined) return;
  if (found.kind === "secret") {
    const access = openSecretAccess(found.baseUrl, secret);
    const by = "apiKey" in secret ? "API key" : "application";
    await enter(access, await askPerson(access, by));
    return;
  }
  await openSession(secret);
}

/** Signs in whom the proxy names. @throws FaultError */
export const signInByProxy = (): Promise<void> => openSession({});

async function openSession(body: object): Promise<void> {
  const response = await fetch(SESSION, {
    method: "POST",
    headers: { ...OWN, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  }).catch((cause: unknown) => {
    throw new FaultError({ kind: "unreachable" }, { cause });
  });
  if (!response.ok) throw await FaultError.fromResponse(response);
  const answer = await askSession();
  if (answer === undefined || answer.user === null) throw new FaultError({ kind: "no-cookie" });
  await enter(openSessionAccess(`${HERE}api`), toPerson(answer));
}

/** A service that does not name the caller (D39) shows a user without administrator rights only himself (D22). */
async function askPerson({ client }: Access, by: Person["by"]): Promise<Person> {
  const { data, response } = await client.GET("/users/basic-info", {
    params: { query: { status: "active" } },
  });
  const [only, another] = data.data;
  const isAdmin = another !== undefined;
  const username =
    readCaller(response.headers)?.username ?? (isAdmin ? "" : (only?.username ?? ""));
  return { username, isAdmin, by, ends: undefined };
}

async function enter(access: Access, person: Person): Promise<void> {
  if (access.kind === "session") await unregisterSound();
  else await registerSound((refused) => access.headers(refused));
  batch(() => {
    signedIn.value = { access, person };
    lock.value = undefined;
  });
}

/** Ends the session, here or wherever this person is signed in, and forgets what was on the page. */
export async function signOut(where: "here" | "everywhere" = "here"): Promise<void> {
  const { access } = signedIn.value ?? {};
  signedIn.value = undefined;
  lock.value = undefined;
  others.postMessage("signed out");
  if (access?.kind === "session") await endSession(where);
  // The Back button finds nothing of what was looked at.
  history.replaceState(null, "", "#/");
}

const endSession = (where: "here" | "everywhere"): Promise<unknown> =>
  fetch(`${SESSION}${where === "everywhere" ? "?everywhere" : ""}`, {
    method: "DELETE",
    headers: OWN,
  });

/** Notices a request refused for its caller: the page is hidden until a user signs in again. */
export function noticeRefusal(error: unknown): void {
  if (error instanceof CallMediaError && error.status === 401) noticeUnauthorized();
}

export function noticeUnauthorized(): void {
  if (signedIn.value !== undefined) lock.value ??= "refused";
}

const IDLE_MS = 30 * 60_000;
const SIGN_OF_LIFE_MS = 5 * 60_000;

/** Locks the page when it was not used for half an hour, and keeps the session of one that is. `isPlaying` is use. */
export function watchUse(isPlaying: () => boolean): void {
  let used = Date.now();
  const use = () => (used = Date.now());
  for (const type of ["pointerdown", "keydown", "wheel"])
    addEventListener(type, use, { passive: true, capture: true });
  setInterval(() => {
    if (signedIn.value === undefined || lock.value !== undefined) return;
    if (isPlaying()) use();
    if (Date.now() - used > IDLE_MS) void lockIdle();
    else void keepAlive(Date.now() - used < SIGN_OF_LIFE_MS);
  }, SIGN_OF_LIFE_MS);
  others.addEventListener("message", () => {
    signedIn.value = undefined;
    lock.value = undefined;
  });
  // A page that comes back from the browser's memory may belong to another user by now.
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted || signedIn.value === undefined) return;
    lock.value = "refused";
    void recognise();
  });
}

/** Shows the page again to whom it was shown before, and to nobody else. */
async function recognise(): Promise<void> {
  const answer = await askSession().catch(() => undefined);
  if (answer?.user?.username !== signedIn.value?.person.username) signedIn.value = undefined;
  lock.value = undefined;
}

async function lockIdle(): Promise<void> {
  lock.value = "idle";
  if (signedIn.value?.access.kind === "session") await endSession("here");
}

async function keepAlive(isUsed: boolean): Promise<void> {
  if (signedIn.value?.access.kind !== "session") return;
  const answer = await askSession(isUsed ? "1" : "idle").catch(() => undefined);
  if (answer?.user === null) lock.value = "refused";
}
