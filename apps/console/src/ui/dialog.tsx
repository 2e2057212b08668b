// A dialog over the page. The browser keeps the focus in it and restores it afterwards.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { text } from "../text/text.ts";
import { IconButton } from "./button.tsx";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
  readonly footer?: ComponentChildren;
}

export function Dialog({ title, onClose, children, footer }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      class="dialog"
      ref={dialog}
      aria-label={title}
      onClose={onClose}
      onClick={(event) => {
        // The dialog element includes the backdrop, so a click there closes it.
        if (event.target === event.currentTarget) dialog.current?.close();
      }}
    >
      <header>
        <h2>{title}</h2>
        <IconButton icon="close" label={text.value.close} onClick={() => dialog.current?.close()} />
      </header>
      <div class="body">{children}</div>
      {footer !== undefined && <footer>{footer}</footer>}
    </dialog>
  );
}
