// Whole services after public documents: the first check with writes keeps them, and lives the lives of their resources.
import { expect, test } from "vitest";
import { SERVICES } from "./foreign/all.ts";
import { checkForeign } from "./foreign/service.ts";

test.each(Object.entries(SERVICES))("%s: kept at the first run", async (_name, service) => {
  const { report, touched, lost } = await checkForeign(service);
  const { verdict, reason, findings, kept, left } = report;
  expect({ verdict, reason, findings }).toEqual({ verdict: "kept", findings: [] });
  expect(left.map((one) => one.operation)).toEqual(service.stays ?? []);
  expect({ touched, lost }).toEqual({ touched: [], lost: [] });
  const lived = kept.map(({ requirement, operation }) => `${requirement} ${operation}`);
  expect(lived).toEqual(
    expect.arrayContaining(service.lives.map((one) => `lifecycle.create ${one}`)),
  );
});
