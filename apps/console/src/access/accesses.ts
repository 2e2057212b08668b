// Loads who looked at a call, page by page (D40).
import { batch, signal } from "@preact/signals";
import type { Access } from "../access.ts";
import { type Fault, FaultError, isAbort, toFault } from "../faults.ts";
import { noticeUnauthorized } from "../session.ts";
import type { Row } from "./acts.ts";

interface Answer {
  readonly rows: readonly Row[];
  /** How many lists there are, if they were asked for. */
  readonly lists?: number;
  /** From when on they were counted. */
  readonly since?: string;
  /** For the next page; null at the end. */
  readonly next: number | null;
}

export function createAccesses(access: Access, callId: string) {
  const rows = signal<readonly Row[] | undefined>(undefined);
  const next = signal<number | null>(null);
  const lists = signal<Answer | undefined>(undefined);
  const fault = signal<Fault | undefined>(undefined);
  const isBusy = signal(false);
  const aborter = new AbortController();

  async function ask(more: Readonly<Record<string, string>>): Promise<Answer | undefined> {
    isBusy.value = true;
    fault.value = undefined;
    try {
      return await fetchAnswer(access, { call_id: callId, ...more }, aborter.signal);
    } catch (error) {
      if (isAbort(error)) return undefined;
      const found = toFault(error);
      if (found.kind === "refused") noticeUnauthorized();
      fault.value = found;
      return undefined;
    } finally {
      isBusy.value = false;
    }
  }

  async function readOn(): Promise<void> {
    const { value: before } = next;
    const answer = await ask(before === null ? {} : { before: String(before) });
    if (answer === undefined) return;
    batch(() => {
      rows.value = [...(rows.value ?? []), ...answer.rows];
      next.value = answer.next;
    });
  }

  return {
    /** Undefined until the first page has arrived. */
    rows,
    next,
    lists,
    fault,
    isBusy,
    readOn,
    readLists: async () => void (lists.value = (await ask({ lists: "1" })) ?? lists.value),
    dispose: () => aborter.abort(),
  };
}

async function fetchAnswer(
  { baseUrl, headers }: Access,
  query: Readonly<Record<string, string>>,
  aborted: AbortSignal,
): Promise<Answer> {
  const url = `${baseUrl.replace(/\/api$/, "/access")}?${new URLSearchParams(query)}`;
  const response = await fetch(url, { headers: await headers(), signal: aborted }).catch(
    (cause: unknown) => {
      throw isAbort(cause) ? cause : new FaultError({ kind: "unreachable" }, { cause });
    },
  );
  if (!response.ok) throw await FaultError.fromResponse(response);
  return (await response.json()) as Answer; // the server that serves this page answers it
}
