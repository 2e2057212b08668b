// Detects paths that URL parsers, routers and servers may interpret as another path.

/** URL parsers treat a backslash as a slash (WHATWG URL, 4.4), and some servers truncate a segment at a semicolon. */
const DOT_SEGMENT = /(?:^|[/\\])\.{1,2}(?:[/\\;?#\0]|$)/;

/** Parsers replace or drop these characters; some merge slashes. */
// oxlint-disable-next-line no-control-regex -- parsers leave tabs out
const AMBIGUOUS_AS_WRITTEN = /[\\\0-\x20\x7f]|\/\/|\/$/;

/** Some servers decode a path before they split it, and some end a text at the first NUL. */
// oxlint-disable-next-line no-control-regex -- those are meant
const AMBIGUOUS_IF_ENCODED = /[/\\\0-\x1f\x7f]/;

const ENCODED = /%([\da-f]{2})/gi;

export const AMBIGUOUS_PATH =
  "The path has . or .. as a segment, an empty segment, a blank, a backslash, or an encoded slash or control character: it could be read as another one";

/** No identifier is encoded more often than this. */
const MAX_ENCODINGS = 4;

/** True if a segment of the text is `.` or `..`, literally or after one or several decodings. */
export const hasDotSegment = (text: string): boolean =>
  decodings(text).some((one) => DOT_SEGMENT.test(one));

/**
 * True if routers, URL parsers and servers may read the path of a URL in different ways. Such a path has a dot segment, an empty segment,
 * or characters that parsers replace or drop. It may also have a slash, backslash or control character that is percent-encoded, once or
 * several times.
 */
export function isAmbiguous(url: string): boolean {
  const [, path = ""] = /^(?:[a-z][a-z\d+.-]*:\/\/[^/\\?#]*)?([^?#]*)/i.exec(url) ?? [];
  if (AMBIGUOUS_AS_WRITTEN.test(path.replace(/^\/$/, "")) || hasDotSegment(path)) return true;
  const texts = decodings(path);
  // The last of them would have to be decoded further.
  return texts.some(hasAmbiguousCode) || (texts.at(-1)?.search(ENCODED) ?? 0) >= 0;
}

function hasAmbiguousCode(text: string): boolean {
  return Array.from(text.matchAll(ENCODED), toCharacter).some((one) =>
    AMBIGUOUS_IF_ENCODED.test(one),
  );
}

/** The text unchanged, and after each decoding. */
function decodings(text: string): readonly string[] {
  const texts = [text];
  while (texts.length <= MAX_ENCODINGS) texts.push(decode(texts.at(-1)));
  return texts;
}

function decode(text = ""): string {
  return text.replaceAll(ENCODED, (...found) => toCharacter(found));
}

/** One byte of UTF-8: the characters that matter here have one. */
function toCharacter([, code = ""]: readonly string[]): string {
  return String.fromCharCode(Number.parseInt(code, 16));
}
