// What the long form says: a line for each fault when it has been tried, and all of them in a table at the end.
import type { Reporter, TestCase } from "vitest/node";

interface Tried {
  readonly name: string;
  readonly state: string;
  readonly seconds: string;
}

export class FaultReporter implements Reporter {
  readonly #tried: Tried[] = [];

  onUserConsoleLog({ content }: { readonly content: string }): void {
    process.stdout.write(content.replace(/^/gm, "      ").trimEnd().concat("\n"));
  }

  onTestCaseReady({ fullName }: TestCase): void {
    console.log(`${new Date().toISOString().slice(11, 19)}  ${fullName}`);
  }

  onTestCaseResult(testCase: TestCase): void {
    const { state, errors = [] } = testCase.result();
    const seconds = ((testCase.diagnostic()?.duration ?? 0) / 1_000).toFixed(1);
    this.#tried.push({ name: testCase.fullName, state, seconds });
    console.log(`${new Date().toISOString().slice(11, 19)}  ${state} after ${seconds} s`);
    for (const { stack, message } of errors) console.error(stack ?? message);
  }

  onTestRunEnd(_modules: unknown, unhandled: readonly { readonly message: string }[]): void {
    for (const { message } of unhandled) console.error(message);
    const width = Math.max(5, ...this.#tried.map(({ name }) => name.length));
    const toLine = ({ name, state, seconds }: Tried) =>
      `| ${name.padEnd(width)} | ${state.padEnd(7)} | ${seconds.padStart(7)} |`;
    const head = toLine({ name: "fault", state: "result", seconds: "seconds" });
    const rule = head.replace(/[^|]/g, "-");
    console.log(["", head, rule, ...this.#tried.map(toLine)].join("\n"));
  }
}
