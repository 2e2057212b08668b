// The values in the boxes of a form.
import type { TargetedSubmitEvent } from "preact";

/** Keeps the browser from sending the form, and gives its texts by name, without space around them. */
export function readForm(event: TargetedSubmitEvent<HTMLFormElement>): (name: string) => string {
  event.preventDefault();
  const form = new FormData(event.currentTarget);
  return (name) => {
    const value = form.get(name);
    return typeof value === "string" ? value.trim() : "";
  };
}
