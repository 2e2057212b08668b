// Reading JSON from outside.

/** Reads a JSON text; says what is wrong with it where it is none. */
export function parseJson(text: string): { readonly value: unknown } | { readonly fault: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { fault: `not valid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
