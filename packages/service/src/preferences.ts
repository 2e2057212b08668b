// The preferences of a request (RFC 7240).

/** `preference` is written `name` or `name=value`; values may be quoted, and parameters are ignored. */
export function isPreferred(preference: string, prefer: string | readonly string[] = ""): boolean {
  return [prefer]
    .flat()
    .flatMap((header) => header.split(","))
    .some(
      (given) => (given.split(";")[0] ?? "").replaceAll(/[\s"]/g, "").toLowerCase() === preference,
    );
}
