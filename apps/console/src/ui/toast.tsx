// A short message about the last action, which slides in from below and disappears automatically.
import { signal } from "@preact/signals";

const SHOWN_MS = 6000;

const said = signal("");
let timer: ReturnType<typeof setTimeout> | undefined;

export function say(sentence: string): void {
  clearTimeout(timer);
  said.value = sentence;
  timer = setTimeout(() => (said.value = ""), SHOWN_MS);
}

/** Must be present before the first message, so that screen readers announce it. */
export function Toast() {
  return (
    <div class="toast" role="status" data-empty={said.value === ""}>
      {said.value}
    </div>
  );
}
