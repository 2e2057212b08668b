// Names of files that a service gives: none leads elsewhere, and every file system has room for them.
import { expect, test } from "vitest";
import { toFileName } from "../src/naming/file-name.ts";

test.each([
  ["call.wav", "call.wav"],
  ["../../etc/passwd", "passwd"],
  ["C:\\calls\\call.wav", "call.wav"],
  ["..", "recording"],
  ["", "recording"],
  [".hidden", "hidden"],
  ['a<b>:"|?*\n.wav', "a_b_______.wav"],
  ["con.wav", "_con.wav"],
  ["call.wav. ", "call.wav"],
  ["-rf.wav", "rf.wav"],
  ["call\u202evaw.exe", "call_vaw.exe"],
  ["a\u061cb\u200ec\u2028d.wav", "a_b_c_d.wav"],
  [`${"x".repeat(300)}.wav`, `${"x".repeat(150)}.wav`],
  [`${"录".repeat(100)}.wav`, `${"录".repeat(50)}.wav`],
])("%j is %j", (announced, name) => {
  expect(toFileName(announced)).toBe(name);
});
