// Reads a dictionary of a header, and who calls by one (RFC 9651, 3.2).

/** Its integers and display strings as text; undefined if there is none, or anything else in it. */
export function parseDictionary(text: string): ReadonlyMap<string, string> | undefined {
  const member = /([a-z][\w.-]*)=(?:%"([^"]*)"|(\d+))[ \t]*(?:,[ \t]*|$)/y;
  const values = new Map<string, string>();
  try {
    do {
      const [, key, display, integer] = member.exec(text) ?? [];
      if (key === undefined) return undefined;
      values.set(key, integer ?? decodeURIComponent(display ?? ""));
    } while (member.lastIndex < text.length);
    return values;
  } catch {
    // Not UTF-8.
    return undefined;
  }
}

/** The user whom the credentials belong to. */
export interface CallingUser {
  readonly id: number;
  readonly username: string;
}

/**
 * Reads who calls from the headers of `listUsers` (D39). Undefined if the service does not say.
 *
 * @example
 * ```ts
 * const { response } = await client.listUsers({ status: "active" }).withResponse();
 * console.log(readCaller(response.headers)?.username);
 * ```
 */
export function readCaller(headers: Headers): CallingUser | undefined {
  const caller = parseDictionary(headers.get("Caller") ?? "");
  const [id, username] = [Number(caller?.get("id") ?? Number.NaN), caller?.get("username")];
  return Number.isSafeInteger(id) && username ? { id, username } : undefined;
}
