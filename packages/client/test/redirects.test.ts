// Neither the secret nor a token follows a redirect.
import { expect, test } from "vitest";

import { ProtocolError, createClient } from "../src/index.ts";
import { failureOf, openService, sendSuccess, isPage } from "./service.ts";

test.each([301, 302, 303, 307, 308])("a %i of POST /Token is not followed", async (status) => {
  const other = await openService((response) => sendSuccess(response));
  const { client, asked } = await openService(
    (response) => sendSuccess(response),
    (response) =>
      response.writeHead(status, { Location: `${other.baseUrl}/elsewhere?ticket=1` }).end(),
  );
  const error = await failureOf(client.GET("/flags/public"));
  expect(error).toBeInstanceOf(ProtocolError);
  // A browser does not tell the status.
  expect(error).toMatchObject({
    operationId: "createToken",
    status: isPage ? 0 : status,
    attempts: 1,
  });
  // A browser does not tell the target either.
  expect(String(error)).toContain(
    isPage ? "with a redirect" : `to ${other.baseUrl}/elsewhere; set`,
  );
  expect(String(error)).not.toContain("ticket");
  expect([...asked, ...other.asked, ...other.signIns]).toEqual([]);
});

test.each([301, 302, 303, 307, 308])("a %i of a call is not followed", async (status) => {
  const other = await openService((response) => sendSuccess(response));
  const { client, baseUrl } = await openService((response) =>
    response.writeHead(status, { Location: `${other.baseUrl}/elsewhere` }).end(),
  );
  const withKey = createClient({ baseUrl, apiKey: "k" });
  expect(await failureOf(client.GET("/flags/public"))).toBeInstanceOf(ProtocolError);
  expect(await failureOf(withKey.GET("/flags/public"))).toBeInstanceOf(ProtocolError);
  expect([...other.asked, ...other.signIns]).toEqual([]);
});
