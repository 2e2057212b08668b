// Reads the values of a form.
import type { TargetedSubmitEvent } from "preact";

/** Stops the browser from submitting the form, and returns its values by name, without leading and trailing whitespace. */
export function readForm(event: TargetedSubmitEvent<HTMLFormElement>): (name: string) => string {
  event.preventDefault();
  const form = new FormData(event.currentTarget);
  return (name) => {
    const value = form.get(name);
    return typeof value === "string" ? value.trim() : "";
  };
}
