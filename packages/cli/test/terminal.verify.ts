// The program as a process at a pseudo-terminal: its width, its colours, its keys.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeService } from "@call-media/testing";
import { serveFake } from "@call-media/testing/http";
import { describe, expect, onTestFinished, test } from "vitest";
import { MARCH, startExporting, toBytes } from "./support/exporting.ts";
import { toSettings } from "./support/program.ts";
import { hasTerminal, runInTerminal } from "./support/terminal.ts";

describe.skipIf(!hasTerminal)("at a terminal", () => {
  test("of the options fits a terminal of 60 columns", async () => {
    const { shown } = await runInTerminal(["search", "--help"], { COLUMNS: "60" }, []);
    const [options = ""] = shown.split("Options for custom");
    expect(options).toContain("--tz");
    expect(options.split(/\r?\n/).filter((line) => line.length > 60)).toEqual([]);
  });

  test("is coloured on a terminal, unless NO_COLOR is set", async () => {
    const service = createFakeService({ calls: [{ call_id: "300000004821508" }] });
    await using served = await serveFake(service);
    const show = async (NO_COLOR: string | undefined) => {
      const access = { CALL_MEDIA_BASE_URL: served.baseUrl, CALL_MEDIA_API_KEY: service.apiKey };
      // Node.js takes the terminal of a CI service for one without colours.
      const variables = { ...access, TERM: "xterm-256color", CI: undefined, NO_COLOR };
      return (await runInTerminal(["get", "300000004821508"], variables, [])).shown;
    };
    expect(await show(undefined)).toContain("\u001b[1mcall_id");
    expect(await show("1")).toMatch(/^call_id +300000004821508\s*$/);
  });

  test("the secret is asked for, not shown, and kept", async () => {
    const service = createFakeService();
    const home = await mkdtemp(join(tmpdir(), "call-media-cli-"));
    onTestFinished(() => rm(home, { recursive: true }));
    await using served = await serveFake(service);
    const { secretID, secretKey } = service.credentials;
    const args = ["login", "--base-url", served.baseUrl];
    const { code, shown } = await runInTerminal(args, toSettings(home), [
      ["secretID", `${secretID}\r`],
      ["secretKey", `${secretKey}\r`],
    ]);
    expect(shown).toContain("Kept as profile default");
    expect(shown).toContain(secretID);
    expect(shown).not.toContain(secretKey);
    expect(code).toBe(0);
  });

  test("progress is drawn, and Ctrl-C says how it goes on", async () => {
    const calls = Array.from({ length: 60 }, (_, index) => ({
      call_id: String(1000 + index),
      datetime: "2026-03-02T06:14:00Z",
      recordings: [{ filename: "a.wav", bytes: toBytes(40_000, index + 1) }],
    }));
    const { out, variables } = await startExporting({ calls });
    const slow = ["--files", "recordings", "--limit-rate", "300k"];
    const args = ["export", ...MARCH, ...slow, "--out", out];
    const { code, shown } = await runInTerminal(args, variables, [[" left", "\u0003"]]);
    expect(shown).toMatch(/\[=* +\] \d+% \d+ rows?, \d+ files?, .*\d+:\d\d left/);
    expect(shown.replaceAll(/\s+/g, " ")).toContain("call-media: stopped by Ctrl-C: what was");
    expect(code).toBe(130);
  });
});
