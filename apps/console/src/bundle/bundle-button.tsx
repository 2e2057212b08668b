// Opens the dialog that makes a bundle. Its program is loaded by the first click.
import type { CallRecord } from "@call-media/client";
import { useSignal } from "@preact/signals";
import type { Query } from "../search/query.ts";
import { text } from "../text/text.ts";
import { say } from "../ui/toast.tsx";
import type { BundleDialog } from "./bundle-dialog.tsx";

interface BundleButtonProps {
  readonly query: Query;
  /** None are all of the search. */
  readonly picked: readonly CallRecord[];
  readonly isMain?: boolean;
}

export function BundleButton({ query, picked, isMain }: BundleButtonProps) {
  const opened = useSignal<{ readonly Dialog: typeof BundleDialog } | undefined>(undefined);
  const open = async () => {
    try {
      opened.value = { Dialog: (await import("./bundle-dialog.tsx")).BundleDialog };
    } catch {
      say(text.value.faults.unreachable.title);
    }
  };
  const { Dialog } = opened.value ?? {};
  return (
    <>
      <button type="button" class={`button${isMain ? " main" : ""}`} onClick={() => void open()}>
        {text.value.bundle}
      </button>
      {Dialog !== undefined && (
        <Dialog selection={{ query, picked }} onClose={() => (opened.value = undefined)} />
      )}
    </>
  );
}
