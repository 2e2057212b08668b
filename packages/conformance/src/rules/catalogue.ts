// The sentence of each clause of the document's own rules, with its source.

interface Clause {
  readonly says: string;
  readonly source: string;
}

const DOCUMENT = "the document";

export const catalogue: Readonly<Record<string, Clause>> = {
  "answer.server-error": {
    says: "No request is answered by a server error.",
    source: "RFC 9110, 15.6",
  },
  "answer.success": { says: "A right request is answered with a success.", source: DOCUMENT },
  "answer.status": { says: "Every status is documented.", source: DOCUMENT },
  "answer.content-type": {
    says: "The media type is a documented one.",
    source: `${DOCUMENT}; RFC 9110, 8.3`,
  },
  "answer.schema": {
    says: "The body fits its schema, and has nothing undocumented in it.",
    source: DOCUMENT,
  },
  "answer.headers": {
    says: "Documented headers are there and fit their schemas.",
    source: DOCUMENT,
  },
  "answer.json": { says: "A JSON body can be read.", source: "RFC 8259, 8.1, 8.2" },
  "answer.names": { says: "No name stands twice in an object.", source: "RFC 8259, 4" },
  "answer.no-body": { says: "204, 304 and HEAD have no body.", source: "RFC 9110, 6.4.1, 9.3.2" },
  "answer.length": { says: "Content-Length is the number of bytes.", source: "RFC 9112, 6.3" },
  "answer.problem": {
    says: "The status in a problem is that of the answer.",
    source: "RFC 9457, 3.1.2",
  },
  "answer.whole": { says: "A whole answer comes.", source: "RFC 9112, 8" },
  "answer.secrets": {
    says: "Credentials that were sent do not come back.",
    source: "RFC 9110, 17.16.1; RFC 6750, 5.3",
  },
  "auth.refused": {
    says: "Nothing is given or changed without valid credentials.",
    source: "RFC 9110, 15.5.2; RFC 6750, 3.1; RFC 7617",
  },
  "auth.challenge": { says: "401 has a WWW-Authenticate header.", source: "RFC 9110, 11.6.1" },
  "auth.schemes": {
    says: "Credentials of a scheme are good where the document says so, and nowhere else.",
    source: DOCUMENT,
  },
  "auth.scheme-case": {
    says: "The letter case of the scheme does not matter.",
    source: "RFC 9110, 11.1",
  },
  "http.last-modified": {
    says: "Last-Modified is not later than Date.",
    source: "RFC 9110, 8.8.2.1",
  },
  "http.head": { says: "HEAD has the status and headers of GET.", source: "RFC 9110, 9.1, 9.3.2" },
  "http.method": { says: "A method that nobody knows does not succeed.", source: "RFC 9110, 9.1" },
  "http.allow": {
    says: "405 and OPTIONS name the documented methods in Allow.",
    source: "RFC 9110, 9.3.7, 15.5.6",
  },
  "http.encoding": {
    says: "A letter written as %xx is the same letter.",
    source: "RFC 3986, 2.3, 6.2.2.2",
  },
  "http.conditional": {
    says: "304 comes for the current validator alone.",
    source: "RFC 9110, 13.1, 15.4.5",
  },
  "http.range": {
    says: "206 has exactly the bytes of its Content-Range.",
    source: "RFC 9110, 14.4, 15.3.7",
  },
  "http.compression": {
    says: "Decoded, a compressed body is the same.",
    source: "RFC 9110, 8.4, 12.5.3",
  },
  "http.media-type": {
    says: "A charset changes nothing, and a body of an undocumented type does not succeed.",
    source: "RFC 9110, 8.3.1, 15.5.16",
  },
  "json.same": {
    says: "The same JSON written otherwise has the same answer.",
    source: "RFC 8259, 2, 4, 7",
  },
  "query.same": {
    says: "The order of parameters with different names does not matter.",
    source: "RFC 3986, 3.4",
  },
  "default.same": {
    says: "A parameter that is left out is as if it had its default.",
    source: DOCUMENT,
  },
  "input.refused": { says: "What a schema refuses does not succeed.", source: DOCUMENT },
  "input.bounds": {
    says: "What is beyond a bound is refused or brought within it.",
    source: DOCUMENT,
  },
  "input.right": { says: "What a schema allows is not refused.", source: DOCUMENT },
  "input.unchanged": {
    says: "A refused write changes nothing.",
    source: "common sense; no RFC says so",
  },
  "links.leads": {
    says: "A link of the document leads to something that is there.",
    source: "OpenAPI 3.1, 4.8.20",
  },
  "matrix.same": {
    says: "How a request is written, and by which method, does not change its answer.",
    source: "RFC 9110, 9.3.2; RFC 3986, 6.2.2.2",
  },
  "matrix.refused": {
    says: "However it is asked, nothing is given without credentials.",
    source: "RFC 9110, 15.5.2",
  },
};
