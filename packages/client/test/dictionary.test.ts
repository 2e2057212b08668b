// Who calls, by the header of a list of users (D39).
import { createFakeService } from "@call-media/testing";
import { expect, test } from "vitest";

import { createClient, readCaller } from "../src/index.ts";

const USERS = [
  { id: 7, username: 'Zoë "Ops"; a=1, %', is_admin: true },
  { id: 8, username: "ana" },
];

test.each(USERS)(
  "a service names $username, whatever other users it lists",
  async ({ id, username }) => {
    const service = createFakeService({ users: USERS });
    const { apiKey } = service.accessOf(id);
    const { baseUrl, fetch } = service;
    const client = createClient({ baseUrl, fetch, apiKey });
    const { response } = await client.listUsers({ status: "active" }).withResponse();
    expect(readCaller(response.headers)).toEqual({ id, username });
  },
);

test.each([
  undefined,
  "",
  'id=7, username="ana"',
  'id=7, username=%"%ff"',
  'id=x, username=%"ana"',
  'id=9007199254740993, username=%"ana"',
  'id=7, username=%""',
  'id=7; username=%"ana"',
  'username=%"ana"',
])("the header %j names nobody", (header) => {
  const headers = new Headers(header === undefined ? {} : { Caller: header });
  expect(readCaller(headers)).toBeUndefined();
});
