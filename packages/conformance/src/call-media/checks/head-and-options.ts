// HEAD and OPTIONS of an operation in JSON.
import { unless } from "../run.ts";
import type { Check } from "./check.ts";

export const headAndOptions: Check = {
  about: "HEAD and OPTIONS",
  proves: ["read.head", "read.options"],
  cost: 3,
  run: async ({ run }) => {
    const operation = "listPublicFlags";
    const whole = await run.recall({ operation });
    const head = await run.ask({ operation, method: "HEAD" });
    const isSame = head.headers.get("Content-Type") === whole.headers.get("Content-Type");
    const isHead = head.status === 200 && head.size === 0 && isSame;
    run.prove("read.head", head, unless(isHead, `HEAD is answered ${head.status}`));
    const options = await run.ask({ operation, method: "OPTIONS" });
    const allowed = (options.headers.get("Allow") ?? "").split(/\s*,\s*/);
    const isTold = options.status === 204 && allowed.includes("GET");
    run.prove(
      "read.options",
      options,
      unless(isTold, `OPTIONS is answered ${options.status}, Allow is ${allowed.join(", ")}`),
    );
  },
};
