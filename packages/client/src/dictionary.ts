// Reads a dictionary in a header, and the caller's identity from one (RFC 9651, 3.2).

/** The integers and display strings as text. Undefined if there are none, or if the text has anything else. */
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

/** The user who owns the credentials. */
export interface CallingUser {
  readonly id: number;
  readonly username: string;
}

/**
 * Reads the caller from the headers of `listUsers` (D39). Undefined if the service does not say.
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
