// Copies to the clipboard and confirms it.
import { text } from "../text/text.ts";
import { say } from "./toast.tsx";

/** `done` is the message after copying. */
export async function copy(what: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(what);
    say(done);
  } catch {
    // A page over plain HTTP has no access to the clipboard.
    say(text.value.notCopied);
  }
}
