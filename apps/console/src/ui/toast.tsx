// One sentence from below about what was just done; it goes by itself.
import { signal } from "@preact/signals";

const SHOWN_MS = 6000;

const said = signal("");
let timer: ReturnType<typeof setTimeout> | undefined;

export function say(sentence: string): void {
  clearTimeout(timer);
  said.value = sentence;
  timer = setTimeout(() => (said.value = ""), SHOWN_MS);
}

/** To be there before anything is said, so that screen readers hear of it. */
export function Toast() {
  return (
    <div class="toast" role="status" data-empty={said.value === ""}>
      {said.value}
    </div>
  );
}
