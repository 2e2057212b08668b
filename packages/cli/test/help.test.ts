// The help: what it teaches, how wide it is, and that it promises nothing that a command does not have.
import { expect, test } from "vitest";
import { COMMANDS } from "../src/commands.ts";
import { run } from "./support/program.ts";

const NAMES = COMMANDS.map(({ name }) => name);

async function readHelp(name: string): Promise<string> {
  const { stdout } = await run([name, "--help"]);
  return stdout;
}

test.each(["", ...NAMES])("%s teaches by example", async (name) => {
  const { code, stdout, stderr } = await run([...(name === "" ? [] : [name]), "--help"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain(`$ call-media ${name}`);
  const tooLong = stdout.split("\n").filter((line) => line.length > 80 && !/^ +\$ /.test(line));
  expect(tooLong).toEqual([]); // an example is one line, to be copied
});

test.each(["chekc", "chekc --help", "help chekc"])("names the command meant: %s", async (line) => {
  const { code, stdout, stderr } = await run(line.split(" "));
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain("(Did you mean check?)");
});

test("is printed when the program is called without arguments", async () => {
  const { code, stderr } = await run([]);
  expect(code).toBe(2);
  expect(stderr).toContain("Usage: call-media");
});

test("of every command has --json, except for commands without a result and with JSON only", async () => {
  const helps = await Promise.all(
    NAMES.map(async (name) => ({ name, help: await readHelp(name) })),
  );
  const without = helps.filter(({ help }) => !listOptions(help).includes("--json"));
  expect(without.map(({ name }) => name)).toEqual(["watch", "mcp", "completion"]);
});

test("names only options that the command has, or another one that is named with it", async () => {
  const helps = new Map(
    await Promise.all(NAMES.map(async (name) => [name, await readHelp(name)] as const)),
  );
  const has = (name: string, option: string) => listOptions(helps.get(name) ?? "").includes(option);
  const strange = [...helps].flatMap(([name, help]) =>
    listSentences(help).flatMap((sentence) => {
      const named = NAMES.filter((other) => new RegExp(`\\b${other}\\b`).test(sentence));
      return (sentence.match(/(?<![\w-])--[a-z][\da-z-]*/g) ?? [])
        .filter((option) => ![name, ...named].some((one) => has(one, option)))
        .map((option) => `${name}: ${option}`);
    }),
  );
  expect(strange).toEqual([]);
});

/** Those of custom and security fields are too many to be listed each for itself. */
const UNLISTED = ["custom-field-1", "custom-field-20", "security-field-01", "security-field-05"];

const listOptions = (help: string) => [
  ...[...help.matchAll(/^ +(?:-\w, )?(--[a-z][\da-z-]*)/gm)].map(([, option]) => option),
  ...(help.includes("Options for custom and security") ? UNLISTED.map((one) => `--${one}`) : []),
];

/** An example is one line; what is wrapped goes on in the next. */
const listSentences = (help: string) =>
  help.replaceAll(/\n(?! *\$)/g, " ").split(/(?<=[.:;]) +|\n/);

test("of login names no variables with secrets, which it does not read", async () => {
  const help = await readHelp("login");
  expect([...new Set(help.match(/CALL_MEDIA_\w+/g))]).toEqual([
    "CALL_MEDIA_PROFILE",
    "CALL_MEDIA_BASE_URL",
  ]);
  expect(help.replaceAll(/\s+/g, " ")).toContain("if left out, CALL_MEDIA_PROFILE or default");
});
