// Loaded before each file of tests: it measures the CPU time of the file, and gives back what the file has replaced.
import { afterAll, vi } from "vitest";
import { readCpuSeconds } from "./cpu.ts";

const begun = readCpuSeconds();

// It is called after those of the file itself, and so counts the processes that they end.
// oxlint-disable-next-line no-empty-pattern -- vitest reads in the pattern which fixtures are asked for
afterAll(({}, file) => {
  file.meta.cpuSeconds = readCpuSeconds() - begun;
  // One process runs many files. A stub is removed before the next test, but the stubs of the last test would stay.
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
