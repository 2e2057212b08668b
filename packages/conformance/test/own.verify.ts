// In whatever style a service answers: nothing is changed that the check did not create.
import { describe, expect, test } from "vitest";
import { HARM, run, STYLES } from "./widgets.ts";

describe.each(Object.entries(STYLES))("%s", (_name, style) => {
  test.each(HARM)("%s: nothing of others is touched", async (_about, faults) => {
    const { touched, rest, seeds, report } = await run(style, faults);
    expect(touched).toEqual([]);
    expect(rest).toEqual(seeds);
    expect(report.left).toEqual([]);
  });

  test("what is its own is created, read, changed and deleted", async () => {
    const lists = { listWidgets: { key: style.key } };
    const isList = !("end" in style);
    const { report } = await run(style, {}, isList ? { relations: { lists } } : {});
    expect(report.findings).toEqual([]);
    const kept = report.kept.map(({ requirement, operation: id }) => `${requirement} ${id}`);
    expect(kept).toEqual(
      expect.arrayContaining([
        "lifecycle.create addWidget",
        "lifecycle.update putWidget",
        "lifecycle.delete deleteWidget",
        "auth.refused deleteWidget",
      ]),
    );
  });
});
