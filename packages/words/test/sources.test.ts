// What of a call is searched, and what is not.
import { expect, test } from "vitest";
import { listSources, matches, parseQuery, toSearched } from "../src/index.ts";

const record = {
  transcript: "the bill",
  notes: "n",
  disposition_notes: "d",
  customer_first_name: "Leïla",
  customer_middle_name: null,
  customer_last_name: "Benali",
  customer_email: "leila@example.com",
  agent_name: "A",
  dest_agent_name: "B",
  company: "C",
  ani: "6145550121",
  dnis: null,
  phone_number1: "",
  call_id: "300000004821507",
};

test("texts, names and numbers, in the order in which they are shown", () => {
  const sources = listSources(record, [
    { transcript: "one" },
    { transcript: null },
    { transcript: "three" },
  ]);
  expect(sources).toEqual([
    { from: "transcript", text: "the bill" },
    { from: "chat", message: 0, text: "one" },
    { from: "chat", message: 2, text: "three" },
    { from: "notes", text: "n" },
    { from: "disposition_notes", text: "d" },
    { from: "customer", text: "Leïla Benali" },
    { from: "agent_name", text: "A" },
    { from: "dest_agent_name", text: "B" },
    { from: "company", text: "C" },
    { from: "ani", text: "6145550121", isNumber: true },
  ]);
});

test("first and last name are one text; identifiers and the e-mail address are not searched", () => {
  const searched = toSearched(record);
  expect(matches(parseQuery('"leila benali"'), searched)).toBe(true);
  expect(matches(parseQuery("example"), searched)).toBe(false);
  expect(matches(parseQuery("300000004821507"), searched)).toBe(false);
});
