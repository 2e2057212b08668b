// The signed-in user and the service. Only this module gets a secret; it passes the secret to the access and forgets it.
import { CallMediaError, readCaller } from "@call-media/client";
import { batch, signal } from "@preact/signals";
import {
  type Access,
  openSecretAccess,
  openSessionAccess,
  MARK,
  OWN,
  type Secret,
} from "./access.ts";
import { type Fault, FaultError, toFault } from "./faults.ts";
import { registerSound, unregisterSound } from "./player/sound-worker.ts";

export interface Person {
  /** Empty if the service does not name an administrator. */
  readonly username: string;
  readonly isAdmin: boolean;
  /** How the user signed in. */
  readonly by: "application" | "API key" | "proxy";
  /** When the session expires; undefined without a server session. */
  readonly ends: string | undefined;
}

export interface SignedIn {
  readonly person: Person;
  readonly access: Access;
}

/** The service, and how users sign in to it. */
export interface Place {
  readonly kind: Access["kind"];
  readonly baseUrl: string;
  /** The user that the proxy in front of the server has signed in, who need not type anything. */
  readonly proxyUser?: string | undefined;
}

export const place = signal<Place | undefined>(undefined);
export const signedIn = signal<SignedIn | undefined>(undefined);

/** Why the user named by the proxy could not be signed in when the page was opened. */
export const proxyFault = signal<Fault | undefined>(undefined);

/** Why the page is hidden until the same user has signed in again. */
export type LockReason = "idle" | "refused";
export const lock = signal<LockReason | undefined>(undefined);

const HERE = new URL(".", location.href.split("#")[0]).href;
const SESSION = `${HERE}session`;

const others = new BroadcastChannel("call-media");

/** Finds the service, and a user who is already signed in there. @throws FaultError */
export async function findPlace(): Promise<void> {
  const service = await readConfig();
  if (service !== "") {
    place.value = { kind: "secret", baseUrl: new URL(service, HERE).href.replace(/\/$/, "") };
    return;
  }
  const answer = await askSession();
  if (answer === undefined) {
    // A server without sessions serves the contract's own paths on the console's host.
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

/** The response to GET of the session. */
interface SessionAnswer {
  readonly user: { readonly username: string; readonly is_admin: boolean } | null;
  /** The user that the proxy in front of the server has signed in. */
  readonly proxyUser?: string;
  readonly by?: Person["by"];
  readonly ends?: string;
}

/** Undefined if the server has no sessions. `idle` does not count as use of the session. */
async function askSession(use: "1" | "idle" = "1"): Promise<SessionAnswer | undefined> {
  const response = await fetch(SESSION, { headers: { [MARK]: use } }).catch((cause: unknown) => {
    throw new FaultError({ kind: "unreachable" }, { cause });
  });
  if (!response.headers.get("Content-Type")?.includes("json")) return undefined;
  // Other paths of this page would be denied as well.
  if (response.status === 403) throw await FaultError.fromResponse(response);
  if (!response.ok) return undefined;
  const answer: unknown = await response.json();
  // Any other response at this URL means that the server has no sessions.
  return answer instanceof Object && "user" in answer ? (answer as SessionAnswer) : undefined;
}

const toPerson = ({ user, by = "API key", ends }: SessionAnswer): Person => ({
  username: user?.username ?? "",
  isAdmin: user?.is_admin ?? false,
  by,
  ends,
});

/** @throws CallMediaError or FaultError with the reason. */
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

/** Signs in the user named by the proxy. @throws FaultError */
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

/** If a service does not name the caller (D39), a user without administrator rights is the only one in his list (D22). */
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

/** Ends the session here, or every session of this user, and clears the page. */
export async function signOut(where: "here" | "everywhere" = "here"): Promise<void> {
  const { access } = signedIn.value ?? {};
  signedIn.value = undefined;
  lock.value = undefined;
  others.postMessage("signed out");
  if (access?.kind === "session") await endSession(where);
  // Leaves nothing of the user's searches for the Back button.
  history.replaceState(null, "", "#/");
}

const endSession = (where: "here" | "everywhere"): Promise<unknown> =>
  fetch(`${SESSION}${where === "everywhere" ? "?everywhere" : ""}`, {
    method: "DELETE",
    headers: OWN,
  });

/** Checks for a rejected sign-in: the page is then hidden until a user signs in again. */
export function noticeRefusal(error: unknown): void {
  if (error instanceof CallMediaError && error.status === 401) noticeUnauthorized();
}

export function noticeUnauthorized(): void {
  if (signedIn.value !== undefined) lock.value ??= "refused";
}

const IDLE_MS = 30 * 60_000;
const SIGN_OF_LIFE_MS = 5 * 60_000;

/** Locks the page after half an hour without use, and keeps the session of a page in use alive. Playing counts as use. */
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
  // A page restored from the browser's memory may belong to another user by now.
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted || signedIn.value === undefined) return;
    lock.value = "refused";
    void recognise();
  });
}

/** Unlocks the page only for the same user; anyone else gets the sign-in form. */
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
