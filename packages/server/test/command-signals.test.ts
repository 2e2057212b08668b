// A signal beside the rows of a command: its ending is in the log, and a second signal waits for nothing.
import { EventEmitter } from "node:events";
import { Readable } from "node:stream";
import type { OperatorAct } from "@call-media/store";
import { runWith } from "@call-media/terminal";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { recorded } from "../src/command-line/recorded.ts";

const signals = new EventEmitter();
const exits: unknown[] = [];

// The process of the tests goes on.
beforeEach(() => {
  exits.length = 0;
  vi.spyOn(process, "exit").mockImplementation((code) => exits.push(code) as never);
});
afterEach(() => vi.restoreAllMocks());

/** Runs a command with this log; the work is to be begun by none of them. */
function begin(record: (act: OperatorAct) => Promise<void>) {
  const { stdout, stderr } = process;
  const streams = { stdin: Readable.from([]), stdout, stderr, env: {}, signals };
  void runWith(streams, () =>
    recorded({ log: { record }, operation: "verify", asked: {} }, () => {
      throw new Error("the work was begun");
    }),
  ).catch((error: unknown) => exits.push(error));
}

test("one that comes while the first row is written has its row", async () => {
  const rows: unknown[] = [];
  begin(async ({ outcome, reason }) => {
    if (outcome === "begun") signals.emit("SIGTERM", "SIGTERM");
    rows.push([outcome, reason]);
  });
  await vi.waitFor(() => expect(exits).toContain(143));
  expect(rows).toEqual([
    ["failed", "SIGTERM"],
    ["begun", undefined],
  ]);
});

test("a second one ends the program, also where the row of the first cannot be written", async () => {
  begin(async ({ outcome }) => {
    if (outcome === "begun") setImmediate(() => signals.emit("SIGINT", "SIGINT"));
    await new Promise(() => {});
  });
  await vi.waitFor(() => expect(signals.listenerCount("SIGINT")).toBeGreaterThan(0));
  await new Promise(setImmediate);
  expect(exits).toEqual([]);
  signals.emit("SIGINT", "SIGINT");
  expect(exits).toEqual([130]);
});
