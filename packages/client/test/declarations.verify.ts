// Declarations of programs that use the client, where its dependencies are out of their reach, as pnpm installs them.
import { execFile } from "node:child_process";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { expect, test } from "vitest";

import { createFolder } from "./support/folder.ts";

const PROGRAM = `
import { type CallMediaClient, createClient, type InitOf } from "@call-media/client";
export const client = createClient({ baseUrl: "https://archive.example", apiKey: "k" });
const range = { startDate: "2026-01-01", endDate: "2026-01-02" };
export const wrap = (...given: Parameters<CallMediaClient["GET"]>) => given;
export const init = (...given: InitOf<"get", "/users/basic-info">) => given;
export const search = (agent: string) => client.calls.search({ ...range, filter: { agent } });
export const page = () => client.calls.byCustomFields({ ...range, filter: {} }).page(0);
export const record = (call_id: string) => client.getMetadataByCallId({ call_id });
export const found = () => client.searchMetadata({ ...range, pageIndex: 0, body: {} }).withResponse();
export const chat = (call_id: string) => client.getChatByCallId({ call_id });
export const users = () => client.listUsers({ status: "all" });
export const base64 = (call_id: string) => client.getRecordingByCallId({ call_id });
export const raw = (call_id: string) => client.GET("/metadata/by-call-id/{call_id}", { params: { path: { call_id } } });
export const stream = (call_id: string) => client.recordings.stream({ call_id });
`;

const toPath = (place: string) => fileURLToPath(new URL(place, import.meta.url));

/** A package as it is published, and the place of its folder. */
async function install(name: string, root: string): Promise<string> {
  const folder = join(root, "node_modules/.pnpm", name, "node_modules/@call-media", name);
  await mkdir(folder, { recursive: true });
  const manifest = JSON.parse(await readFile(toPath(`../../${name}/package.json`), "utf8"));
  await writeFile(
    join(folder, "package.json"),
    JSON.stringify({ ...manifest, ...manifest.publishConfig }),
  );
  await cp(toPath(`../../${name}/dist`), join(folder, "dist"), { recursive: true });
  return folder;
}

test.each(["typescript", "typescript-5"])("%s needs no annotations for them", async (compiler) => {
  await using folder = await createFolder();
  const root = folder.path;
  const client = await install("client", root);
  for (const name of ["api", "sound", "words"])
    await symlink(await install(name, root), join(client, "..", name));
  await mkdir(join(root, "node_modules/@call-media"));
  await symlink(client, join(root, "node_modules/@call-media/client"));
  await writeFile(join(root, "package.json"), '{ "type": "module" }');
  await writeFile(join(root, "program.ts"), PROGRAM);
  const tsc = toPath(`../node_modules/${compiler}/bin/tsc`);
  const options = ["--declaration", "--emitDeclarationOnly", "--strict", "--target", "es2024"];
  const command = [tsc, ...options, "--module", "nodenext", "program.ts"];
  const failed = await promisify(execFile)(process.execPath, command, { cwd: root }).catch(
    (error: unknown) => String(Object(error).stdout),
  );
  expect(failed).toMatchObject({ stdout: "" });
  expect(await readFile(join(root, "program.d.ts"), "utf8")).toContain("export declare const wrap");
});
