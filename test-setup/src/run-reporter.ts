// The lines at the end of a run: failed and skipped tests, the files that took most CPU time, and the total.
import { writeSync } from "node:fs";
import type { Reporter, SerializedError, TestModule, Vitest } from "vitest/node";
import { readCpuSeconds } from "./cpu.ts";
import { keepFailure } from "./failures.ts";

declare module "vitest" {
  interface TaskMeta {
    cpuSeconds?: number;
  }
}

const DEAREST = 10;

/** It judges no time, because the tests cannot help a busy machine. */
export class RunReporter implements Reporter {
  #hasFilter = false;

  onInit({ config }: Vitest): void {
    this.#hasFilter = config.testNamePattern !== undefined;
    // Vitest itself and the start of its workers count too, and are complete only now.
    process.once("exit", () => writeSync(1, `CPU time ${toSeconds(readCpuSeconds())}\n`));
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    for (const module of modules)
      for (const [name, message] of findFailures(module))
        keepFailure(`${module.relativeModuleId} ${name}`, message);
    for (const { message } of errors) keepFailure("beside the tests", message);
    if (!this.#hasFilter) for (const module of modules) printSkipped(module);
    const dearest = modules
      .map((module) => ({ file: module.relativeModuleId, seconds: module.meta().cpuSeconds ?? 0 }))
      .filter(({ seconds }) => seconds >= 1)
      .toSorted((a, b) => b.seconds - a.seconds)
      .slice(0, DEAREST);
    for (const { file, seconds } of dearest) console.log(`CPU time ${toSeconds(seconds)} ${file}`);
  }
}

/** Tests, and files and groups of tests whose own code failed. */
function* findFailures(module: TestModule): Generator<readonly [name: string, message: string]> {
  for (const { message } of module.errors()) yield ["", message];
  for (const suite of module.children.allSuites())
    for (const { message } of suite.errors()) yield [suite.fullName, message];
  for (const test of module.children.allTests("failed"))
    for (const { message } of test.result().errors ?? []) yield [test.fullName, message];
}

function printSkipped(module: TestModule): void {
  const skipped = [...module.children.allTests("skipped")];
  if (skipped.length === 0) return;
  const names = skipped.map(({ fullName }) => fullName).join("; ");
  console.log(`SKIPPED ${module.relativeModuleId}: ${names}`);
}

const toSeconds = (seconds: number) => `${seconds.toFixed(1).padStart(6)} s`;
