// To the clipboard, and a word that it is there.
import { text } from "../text/text.ts";
import { say } from "./toast.tsx";

/** `done` is what is said when it is there. */
export async function copy(what: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(what);
    say(done);
  } catch {
    // A page over plain HTTP has no clipboard.
    say(text.value.notCopied);
  }
}
