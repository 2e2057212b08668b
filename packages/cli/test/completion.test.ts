// Completion, asked of the shells themselves; one that is not installed is skipped.
import { spawnSync } from "node:child_process";
import { beforeAll, expect, test } from "vitest";
import { COMMANDS } from "../src/commands.ts";
import { type Shell, toCompletion } from "../src/command-line/completion.ts";

/** PowerShell passes on no words to a script of its own. */
type Asked = Exclude<Shell, "powershell">;

/** How each is asked for what may follow: the words so far are its arguments, the last one unfinished. */
const ASK: Readonly<Record<Asked, string>> = {
  bash: `COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _call_media; printf '%s\\n' "\${COMPREPLY[@]}"`,
  // What compadd is given, zsh itself narrows down to what was begun.
  zsh: `words=("$@"); CURRENT=$#; _call_media`,
  fish: `complete -C "$argv"`,
};

const BEFORE: Readonly<Record<Asked, string>> = {
  // macOS has bash 3.2, which has none of them.
  bash: "enable -n mapfile readarray\n",
  zsh: "compdef() { }; _files() { print src/ }; compadd() { shift; print -l -- $@ }\n",
  fish: "",
};

const SHELLS = Object.keys(ASK) as Asked[]; // the table has all of them

const scripts = new Map<Asked, string>();
beforeAll(async () => {
  for (const shell of SHELLS) scripts.set(shell, await toCompletion(shell, COMMANDS));
});

function complete(shell: Asked, ...words: readonly string[]): readonly string[] {
  const script = `${BEFORE[shell]}${scripts.get(shell)}\n${ASK[shell]}`;
  const args = shell === "fish" ? ["-N", "-c", script] : ["-c", script, shell];
  // bash complains of a language that is not installed.
  const env = { ...process.env, LC_ALL: "C" };
  const { stdout, stderr, status } = spawnSync(shell, [...args, ...words], {
    encoding: "utf8",
    env,
  });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  return stdout.split("\n").map((line) => line.split("\t")[0] ?? "");
}

const missing = SHELLS.filter((shell) => spawnSync(shell, ["-c", ":"]).error !== undefined);
if (missing.length > 0)
  console.warn(`SKIPPED: completion in ${missing.join(", ")}, which are not installed`);

for (const shell of SHELLS)
  test.skipIf(missing.includes(shell))(`in ${shell}`, () => {
    const commands = complete(shell, "call-media", "s");
    expect(commands).toContain("search");
    expect(commands).not.toContain("--from");
    const options = complete(shell, "call-media", "search", "--a");
    expect(options).toEqual(expect.arrayContaining(["--agent", "--agent-name"]));
    expect(complete(shell, "call-media", "whoami", "--")).not.toContain("--agent");
    const helped = complete(shell, "call-media", "help", "s");
    expect(helped).toEqual(expect.arrayContaining(["search", "sync"]));
    expect(helped).not.toContain("src/");
    expect(complete(shell, "call-media", "completion", "z")).toContain("zsh");
    const values = complete(shell, "call-media", "search", "--format", "js").filter(Boolean);
    expect(values).toEqual(expect.arrayContaining(["json", "jsonl"]));
    expect(values.filter((word) => !/^(?:table|json|jsonl|csv|xlsx)$/.test(word))).toEqual([]);
    expect(complete(shell, "call-media", "search", "--agent", "js")).not.toContain("json");
    expect(complete(shell, "call-media", "export", "--columns", "talk")).toContain("talk_time");
  });

test.skipIf(missing.includes("bash"))(
  "bash offers values after an = and files where it is given no candidate",
  () => {
    const candidates = (...words: string[]) =>
      complete("bash", "call-media", ...words).filter(Boolean);
    expect(candidates("search", "--format", "=", "c")).toEqual(["csv"]);
    expect(candidates("search", "--format", "=")).toEqual([
      "table",
      "json",
      "jsonl",
      "csv",
      "xlsx",
    ]);
    expect(candidates("verify", "--")).toContain("--seal");
    for (const words of [
      ["verify", ""],
      ["diff", "old.yaml", ""],
      ["export", "--out", ""],
      ["export", "--out", "="],
    ])
      expect(candidates(...words)).toEqual([]);
  },
);

test("PowerShell is given every command, and the values of every option that has some", async () => {
  const script = await toCompletion("powershell", COMMANDS);
  for (const { name } of COMMANDS) expect(script).toContain(`\n    '${name}' = "`);
  expect(script).toContain(`'search --format' = "table json jsonl csv xlsx"`);
  expect(script).toContain(`'search --profile' = "$(call-media profiles --names 2>$null)"`);
  expect(script).toContain(`'search --agent' = ""`);
});
