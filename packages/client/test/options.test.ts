// What a client can be made from.
import { expect, test } from "vitest";

import { type ClientOptions, createClient } from "../src/index.ts";
import { credentials, isPage } from "./service.ts";

const apiKey = "key-1";

test.each([
  "https://archive.example",
  "https://archive.example:8443/call-media/",
  "http://localhost:8080",
  "http://LOCALHOST",
  "http://archive.localhost",
  "http://127.0.0.1:8080",
  "http://127.8.9.10",
  "http://[::1]:8080/base",
  "https://archive.example/of@us",
])("baseUrl %s is taken", (baseUrl) => {
  expect(createClient({ baseUrl, apiKey })).toHaveProperty("GET");
});

test.each([
  "http://archive.example",
  "http://10.0.0.1",
  "http://127.0.0.1.archive.example",
  "http://notlocalhost",
  "http://[::2]",
  "http://localhost@archive.example",
  "ftp://localhost",
  ...(isPage ? [] : ["archive.example", "/relative"]), // in a page they are relative to it
  "",
  "https://user:pass@archive.example",
  "https://:pass@archive.example/base",
  "https://archive.example/?x=1",
  "https://archive.example/#x",
])("baseUrl %j is refused", (baseUrl) => {
  const create = () => createClient({ baseUrl, apiKey });
  expect(create).toThrow(TypeError);
  expect(create).toThrow(
    "baseUrl must be https, or http to a loopback host, without user, query or fragment",
  );
  expect(create).not.toThrow("pass@");
});

test.each([
  [{}, "credentials or apiKey"],
  [{ credentials, apiKey }, "credentials or apiKey"],
  [{ credentials: { secretID: "a" } }, "credentials.secretKey must be"],
  [{ credentials: { secretID: "", secretKey: "b" } }, "credentials.secretID must be"],
  [{ credentials: { secretID: 7, secretKey: "b" } }, "credentials.secretID must be"],
  [{ apiKey: "" }, "apiKey must be"],
  [{ apiKey: "sesame\r\nX: 1" }, "apiKey must be"],
  [{ apiKey: "sesäme" }, "apiKey must be"],
])("%j is refused", (who, fault) => {
  // What a caller without types can do.
  const options = { baseUrl: "https://archive.example", ...who } as ClientOptions;
  expect(() => createClient(options)).toThrow(TypeError);
  expect(() => createClient(options)).toThrow(fault);
  expect(() => createClient(options)).not.toThrow("sesame");
});

test.each([
  ["maxRetries", [0, 2, 10], [-1, 11, 1.5, "2", Number.NaN]],
  ["tryTimeoutMs", [1, 2 ** 31 - 1], [0, -1, 2 ** 31, Infinity, "5"]],
  ["totalTimeoutMs", [1, 2 ** 31 - 1, Infinity], [0, 2 ** 31, 0.5]],
  ["idleTimeoutMs", [1], [0, 2 ** 31]],
])("the number %s", (name, taken, refused) => {
  const create = (value: unknown) =>
    createClient({ baseUrl: "https://archive.example", apiKey, [name]: value });
  for (const value of [undefined, ...taken]) expect(create(value)).toHaveProperty("GET");
  for (const value of refused)
    expect(() => create(value)).toThrow(`${name} must be an integer from`);
});

const baseUrl = "https://archive.example/base";

test.each([
  {},
  {
    baseUrl,
    firstPage: 1,
    endDate: "excluded",
    recordCount: null,
    utcOffsetMinutes: { from: -60, to: 60 },
  },
  { baseUrl: "HTTPS://Archive.example/base/" },
  { pageSize: null, ofALaterKit: "x", observations: [] },
  { tokenLifeS: 0, utcOffsetMinutes: 60 }, // which the client does not go by
])("the profile %j is taken", (profile) => {
  // As it comes out of a file.
  const options = JSON.parse(JSON.stringify({ baseUrl, apiKey, profile }));
  expect(createClient(options)).toHaveProperty("calls");
});

test.each([
  [[], "profile must be an object"],
  [{ firstPage: 2 }, "profile.firstPage must be 0 or 1"],
  [{ firstPage: "1" }, "profile.firstPage must be"],
  [{ pageSize: 0 }, "profile.pageSize must be an integer from 1 to"],
  [{ pastTheEndStatus: "404" }, "profile.pastTheEndStatus must be"],
  [{ recordCount: "pages" }, "profile.recordCount must be all or page"],
  [{ order: "newest" }, "profile.order must be"],
  [{ endDate: true }, "profile.endDate must be included or excluded"],
  [{ baseUrl: "https://other.example" }, `profile.baseUrl must be ${baseUrl}`],
  [{ baseUrl: 7 }, "profile.baseUrl must be"],
])("the profile %j is refused", (profile, fault) => {
  const options = JSON.parse(JSON.stringify({ baseUrl, apiKey, profile }));
  expect(() => createClient(options)).toThrow(TypeError);
  expect(() => createClient(options)).toThrow(fault);
});
