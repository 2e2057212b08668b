// The tab with the access log of a call, next to its transcript. Only the page of an administrator loads its panel (D40).
import { useSignal } from "@preact/signals";
import type { ComponentChild } from "preact";
import type { Access } from "../access.ts";
import { signedIn } from "../session.ts";
import { lazy } from "../ui/lazy.tsx";
import type { Leg } from "./load.ts";

const LazyTabs = lazy(async () => (await import("../access/access-panel.tsx")).AccessTabs);
const LazyPanel = lazy(async () => (await import("../access/access-panel.tsx")).AccessPanel);

interface AccessTab {
  /** Replaces the heading of the transcript. */
  readonly tabs?: ComponentChild;
  /** Replaces the transcript. */
  readonly panel?: ComponentChild;
}

/** Empty unless the user is an administrator who is signed in with a session: the server asks for both. */
export function useAccessTab(access: Access, { record }: Leg, legs: readonly Leg[]): AccessTab {
  const isOpen = useSignal<boolean | undefined>(undefined);
  const { call_id } = record;
  if (access.kind !== "session" || signedIn.value?.person.isAdmin !== true || call_id === null)
    return {};
  const tabs = (
    <LazyTabs
      isOpen={isOpen.value === true}
      hasMoved={isOpen.value !== undefined}
      onOpen={(to) => (isOpen.value = to)}
    />
  );
  if (isOpen.value !== true) return { tabs };
  const parts = legs.flatMap((leg) => (leg.record.call_id === call_id ? leg.parts : [])).length;
  return {
    panel: (
      <section aria-labelledby="access">
        <div class="section-head">{tabs}</div>
        <LazyPanel access={access} callId={call_id} parts={parts} />
      </section>
    ),
  };
}
