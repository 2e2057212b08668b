// Asks for secrets on the terminal without showing them, or reads them from standard input.
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Target } from "@call-media/conformance";
import { io, UsageError } from "@call-media/terminal";

/** An application's pair or an API key. */
export type Access = Required<Pick<Target, "credentials">> | Required<Pick<Target, "apiKey">>;

/**
 * Asks on a terminal. Otherwise reads lines of standard input: an API key, or secretID and secretKey.
 *
 * @throws UsageError if the input is neither, or if Ctrl-C was pressed.
 */
export async function readAccess(): Promise<Access> {
  if (!io().stdin.isTTY) return parseAccess(await text(io().stdin));
  using questions = openQuestions();
  // Must fit in 40 columns: readline redraws the question, and folded lines would remain above it.
  const secretID = await questions.ask("secretID (empty: use an API key): ");
  if (secretID === "") return { apiKey: await questions.askHidden("API key") };
  return { credentials: { secretID, secretKey: await questions.askHidden("secretKey") } };
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

/**
 * Asks one question with visible input, then questions with hidden input. If several lines are pasted, each answers one
 * question. They are read before the next question, so that nothing after the first line is shown.
 */
function openQuestions() {
  let isShown = true;
  const { stdin, stderr } = io(); // keys may come from outside of the run
  const write = (shown: string) => void stderr.write(shown); // standard output stays free for data
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (isShown) write(chunk.toString());
      done();
    },
  });
  const lines = createInterface({
    input: stdin,
    output: Object.assign(output, { columns: stderr.columns }),
    terminal: true,
    historySize: 0,
  });
  lines.once("line", () => (isShown = false)).once("SIGINT", () => lines.close());
  const answers = lines[Symbol.asyncIterator]();
  async function readAnswer(): Promise<string> {
    const { value, done } = await answers.next();
    if (done) {
      io().stoppedBy = "SIGINT"; // readline takes the signal
      throw new UsageError("stopped: nothing was kept");
    }
    return value.trim();
  }
  const endLine = () => write("\n");
  return {
    async ask(question: string) {
      // readline redraws the line from its start with each key, the question with it.
      lines.setPrompt(question);
      lines.prompt();
      return await readAnswer().catch((error: unknown) => {
        endLine(); // readline ends the line only after an answer
        throw error;
      });
    },
    async askHidden(name: string) {
      write(`${name} (is not shown): `);
      const answer = await readAnswer().finally(endLine);
      if (answer === "") throw new UsageError(`${name} is empty: nothing was kept`);
      return answer;
    },
    [Symbol.dispose]: () => lines.close(),
  };
}
