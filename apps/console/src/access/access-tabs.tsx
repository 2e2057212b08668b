// The tabs above the transcript by which administrators come to who looked at the call.
import { useLayoutEffect, useRef } from "preact/hooks";
import { accessWords } from "../text/access-words.ts";
import { callWords } from "../text/call-words.ts";

interface AccessTabsProps {
  /** True if the accesses are shown in place of the transcript. */
  readonly isOpen: boolean;
  /** True once the user has come here from the other tab: these are other buttons than the ones that had the focus. */
  readonly hasMoved: boolean;
  readonly onOpen: (isOpen: boolean) => void;
}

export function AccessTabs({ isOpen, hasMoved, onOpen }: AccessTabsProps) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (hasMoved) list.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
  }, []);
  const names = [
    { id: "transcript", name: callWords().transcript, isShown: !isOpen },
    { id: "access", name: accessWords().access, isShown: isOpen },
  ];
  return (
    <div
      class="tabs"
      role="tablist"
      ref={list}
      onKeyDown={(event) => {
        if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
        // The arrows seek in the recording elsewhere.
        event.stopPropagation();
        onOpen(!isOpen);
      }}
    >
      {names.map(({ id, name, isShown }) => (
        <button
          key={id}
          id={id}
          type="button"
          role="tab"
          aria-selected={isShown}
          tabIndex={isShown ? 0 : -1}
          onClick={() => onOpen(id === "access")}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
