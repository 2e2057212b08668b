// The members of a dictionary in a header (RFC 9651, section 3.2): integers and display strings. The format is the document's.
import { decode } from "../../laws/bytes/headers.ts";

const MEMBERS = /(?:^|, )([a-z_]+)=(?:%"([^"]*)"|(\d+))/g;

export const toMembers = (header: string): ReadonlyMap<string | undefined, string | undefined> =>
  new Map(
    [...header.matchAll(MEMBERS)].map(([, key, text, integer]) => [
      key,
      decode(text ?? integer ?? ""),
    ]),
  );
