// What only its owner should type: asked for on the terminal without showing it, or read from standard input.
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Target } from "@call-media/conformance";
import { UsageError } from "../failures/usage-error.ts";

/** An application's pair or an API key. */
export type Access = Required<Pick<Target, "credentials">> | Required<Pick<Target, "apiKey">>;

/**
 * From a terminal by questions; else from the lines of standard input: an API key, or secretID and secretKey.
 *
 * @throws UsageError where it is neither, or Ctrl-C was pressed.
 */
export async function readAccess(): Promise<Access> {
  if (!process.stdin.isTTY) return parseAccess(await text(process.stdin));
  // In less than 40 columns: readline draws the question anew, and above it what was folded would stay.
  const secretID = await ask("secretID (empty: use an API key): ", "shown");
  if (secretID === "") return parseAccess(await ask("API key (is not shown): ", "hidden"));
  return parseAccess(`${secretID}\n${await ask("secretKey (is not shown): ", "hidden")}`);
}

function parseAccess(lines: string): Access {
  const [first, second, ...rest] = lines.split(/\r?\n/).map((line) => line.trim());
  const isEnded = rest.every((line) => line === "");
  if (!first || !isEnded)
    throw new UsageError(
      "standard input must be an API key, or secretID and secretKey on a line each",
    );
  return second ? { credentials: { secretID: first, secretKey: second } } : { apiKey: first };
}

async function ask(question: string, echo: "shown" | "hidden"): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const output = echo === "shown" ? process.stderr : nowhere;
  const stop = new AbortController();
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  const end = () => stop.abort();
  lines.once("SIGINT", end).once("close", end);
  // Questions are for the person: standard output stays free for data. Before the listeners are there, Ctrl-C at the question
  // would end the program without a word.
  process.stderr.write(question);
  // readline redraws the line from its start with each key, the question with it.
  lines.setPrompt(echo === "shown" ? question : "");
  try {
    const answer = await lines.question(echo === "shown" ? `\r${question}` : "", {
      signal: stop.signal,
    });
    return answer.trim();
  } catch (error) {
    if (stop.signal.aborted) throw new UsageError("stopped: nothing was kept", { cause: error });
    throw error;
  } finally {
    lines.close();
    if (echo === "hidden") process.stderr.write("\n");
  }
}
