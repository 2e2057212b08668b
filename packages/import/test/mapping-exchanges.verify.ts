// Every two columns of a mapping that ships, exchanged: the import stops, rejects rows or says what is in doubt. Each exchange that
// is silent is listed here. The samples have a few rows; with more the values tell more.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exchangeAll, type Given, MAPS } from "./support/exchanges.ts";
import { layouts } from "./support/layouts.ts";

const SILENT: Readonly<Record<string, readonly string[]>> = {
  // Both are states or reasons.
  "3cx.json": ["Status, Reason"],
  "aircall.json": [
    // Both are identifiers.
    "sid, voicemail",
    // Either is the agent.
    "user.email, user.id",
  ],
  // Parts of one identifier, of which together none comes twice.
  "cucm.json": [
    "globalCallID_callManagerId, globalCallID_callId",
    "globalCallID_callManagerId, pkid",
    "globalCallID_callId, pkid",
  ],
  // A name in another order.
  "nice-contacts.json": ["firstName, lastName"],
  // Both sides have a name; the result has a reason.
  "ringcentral.json": ["from.name, to.name", "result, reason"],
  "teams.json": ["callId, id", "correlationId, id", "userPrincipalName, userId"],
  "zoom.json": ["recording_id, id"],
};

// Of two dialects, which one mapping without samples cannot have: its file of recordings has no call.
const UNREADABLE = new Set(["twilio.json"]);

const files = readdirSync(MAPS)
  .filter((name) => !UNREADABLE.has(name))
  .toSorted();

test.each(files)("%s: no exchange is silent but those that are known", async (name) => {
  const given = JSON.parse(readFileSync(join(MAPS, name), "utf8")) as Given; // it ships
  const { silent } = await exchangeAll(given);
  expect(silent).toEqual(SILENT[name] ?? []);
});

// Either is a number of the organisation.
const OWN_NUMBERS: Readonly<Record<string, readonly string[]>> = { yeastar: ["DID, Call To"] };

test.each(layouts)(
  "%s, of which no mapping ships: right as it is, and no exchange is silent",
  async (name, given) => {
    const { silent, said, stopped } = await exchangeAll(given);
    expect(silent).toEqual(OWN_NUMBERS[name] ?? []);
    expect(stopped.length).toBeGreaterThan(said.length);
  },
);
