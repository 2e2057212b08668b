// Finds the segments of a path that a URL parser resolves: with one, a request may be for another path than it seems.

/** URL parsers take a backslash for a slash (WHATWG URL, 4.4), and some servers cut a segment at a semicolon. */
const DOT_SEGMENT = /(?:^|[/\\])\.{1,2}(?:[/\\;?#\0]|$)/;

/** More encodings within each other than an identifier has. */
const MAX_ENCODINGS = 4;

export const AMBIGUOUS_PATH =
  "The path has . or .. as a segment, a backslash or a blank: it could be read as another one";

/** True if a segment of the text is `.` or `..` as it is written. */
export const hasDotSegment = (text: string): boolean => DOT_SEGMENT.test(text);

/**
 * True if routers, URL parsers and servers may read the path of a URL in different ways: it has a dot segment, plain or
 * percent-encoded, also several times, or characters that parsers replace or leave out.
 */
export function isAmbiguous(url: string): boolean {
  const [, path = ""] = /^(?:[a-z][a-z\d+.-]*:\/\/[^/\\?#]*)?([^?#]*)/i.exec(url) ?? [];
  // oxlint-disable-next-line no-control-regex -- parsers leave tabs out
  if (/[\\\0-\x20\x7f]/.test(path)) return true;
  let text = path;
  for (let encodings = 0; encodings <= MAX_ENCODINGS; encodings++) {
    if (hasDotSegment(text.replaceAll(/[\t\n\r]/g, ""))) return true;
    const decoded = text.replaceAll(/%([\da-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
    if (decoded === text) return false;
    text = decoded;
  }
  return true;
}
