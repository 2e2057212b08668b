// Checks a vCon against the working group's JSON schema of vCon 0.4.0 (draft-ietf-vcon-vcon-core), and that each index of a party or
// a dialog exists.
import { expect } from "vitest";

type Part = Readonly<Record<string, unknown>>;

interface Vcon extends Part {
  readonly parties: readonly Part[];
  readonly dialog: readonly Part[];
  readonly analysis: readonly Part[];
  readonly attachments: readonly Part[];
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
const DIALOGS = ["recording", "text", "transfer", "incomplete", "recording-set"];
const ENCODINGS = ["base64url", "json", "none"];

/** The vCon of a line, which keeps all rules. */
export function readVcon(line: string): Vcon {
  const vcon = JSON.parse(line) as Vcon;
  const { parties, dialog, analysis, attachments } = vcon;
  expect(vcon).toMatchObject({ vcon: "0.4.0", uuid: expect.stringMatching(UUID) });
  expect(vcon["created_at"]).toMatch(TIME);
  for (const [name, value] of parties.flatMap((party) => Object.entries(party)))
    expect([name, typeof value]).toEqual([name, "string"]);
  // RFC 3966: global numbers have no space; a local one is nothing but digits here.
  for (const { tel } of parties) if (tel !== undefined) expect(tel).toMatch(/^(?:tel:\+)?\d+$/);
  for (const part of dialog) {
    expect(DIALOGS).toContain(part["type"]);
    expect(part["start"]).toMatch(TIME);
    checkContent(part);
    checkNumbers(part["parties"], parties.length);
    checkNumbers(part["originator"] ?? [], parties.length);
  }
  for (const part of analysis) {
    expect(part).toMatchObject({ type: expect.any(String), vendor: expect.any(String) });
    checkContent(part);
    checkNumbers(part["dialog"], dialog.length);
  }
  for (const part of attachments) {
    expect(part["start"]).toMatch(TIME);
    checkContent(part);
    checkNumbers(part["party"], parties.length);
    checkNumbers(part["dialog"], dialog.length);
  }
  return vcon;
}

/** Inside, or at an absolute address with its digest. */
function checkContent({ body, encoding, url, content_hash }: Part): void {
  if (url !== undefined) {
    expect(typeof url === "string" && URL.canParse(url)).toBe(true);
    expect(content_hash).toMatch(/^sha512-[\w-]+$/);
    expect(body).toBeUndefined();
  }
  if (body === undefined) return;
  expect(ENCODINGS).toContain(encoding);
  if (encoding !== "json") expect(typeof body).toBe("string");
}

function checkNumbers(numbers: unknown, end: number): void {
  const list = [numbers].flat();
  for (const number of list) expect(Number.isInteger(number) && Number(number) >= 0).toBe(true);
  expect(Math.max(-1, ...list.map(Number))).toBeLessThan(end);
}
