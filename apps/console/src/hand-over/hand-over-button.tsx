// Opens the dialog that creates a hand-over. The first click loads its code.
import type { CallRecord } from "@call-media/client";
import { useSignal } from "@preact/signals";
import type { Query } from "../search/query.ts";
import { text } from "../text/text.ts";
import { say } from "../ui/toast.tsx";
import type { HandOverDialog } from "./hand-over-dialog.tsx";

interface HandOverButtonProps {
  readonly query: Query;
  /** Empty means all calls of the search. */
  readonly picked: readonly CallRecord[];
  readonly isMain?: boolean;
}

export function HandOverButton({ query, picked, isMain }: HandOverButtonProps) {
  const opened = useSignal<{ readonly Dialog: typeof HandOverDialog } | undefined>(undefined);
  const open = async () => {
    try {
      opened.value = { Dialog: (await import("./hand-over-dialog.tsx")).HandOverDialog };
    } catch {
      say(text.value.faults.unreachable.title);
    }
  };
  const { Dialog } = opened.value ?? {};
  return (
    <>
      <button type="button" class={`button${isMain ? " main" : ""}`} onClick={() => void open()}>
        {text.value.handOver}
      </button>
      {Dialog !== undefined && (
        <Dialog selection={{ query, picked }} onClose={() => (opened.value = undefined)} />
      )}
    </>
  );
}
