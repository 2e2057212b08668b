// Lawful variants of services after public documents raise no alarm, and drifts in them are found.
import { describe, expect, test } from "vitest";
import { SERVICES } from "./foreign/all.ts";
import { checkForeign, DRIFTS, type Foreign, VARIANTS } from "./foreign/service.ts";

/** Under pages by number a list in another order each time loses rows. */
const hasPages = ({ rules }: Foreign): boolean => rules.some((rule) => "page" in rule);
/** Whether a document says how what is missing is answered. */
const isTold = (name: string): boolean => !/pet store|cluster|shelves/.test(name);

describe.each(Object.entries(SERVICES))("%s", (style, service) => {
  const lawful = Object.keys(VARIANTS).filter(
    (one) => one !== "in any order" || !hasPages(service),
  );
  const drifts = Object.keys(DRIFTS).filter((one) => !/is missing/.test(one) || isTold(style));
  test.each(lawful)("%s: kept", async (name) => {
    const { report, touched, lost } = await checkForeign(service, VARIANTS[name]?.());
    const { verdict, reason, findings } = report;
    expect({ verdict, reason, findings }).toEqual({ verdict: "kept", findings: [] });
    expect({ touched, lost }).toEqual({ touched: [], lost: [] });
  });

  test.each(drifts)("%s: found", async (name) => {
    const { fault, change, isOpen } = DRIFTS[name] ?? {};
    const { report, touched, lost } = await checkForeign(service, {
      ...(fault && { habits: { fault } }),
      ...(change && { change: change(service) }),
      ...(isOpen && { isOpen }),
    });
    expect(report.verdict).toBe("drift");
    expect({ touched, lost }).toEqual({ touched: [], lost: [] });
  });
});
