// The report of recorded traffic without any secret: they are all known only when the last entry was read.
import { hideAll, showBody } from "../http/exchanges.ts";
import { toCurl } from "../http/curl.ts";
import type { Secrets } from "../http/secrets.ts";
import type { ApiFinding, ApiReport } from "../report.ts";

/** `isFull`: there are more secrets than are remembered, so that what looks like one is hidden as well. */
export function hideSecrets(report: ApiReport, secrets: Secrets, isFull: boolean): ApiReport {
  const hide = (text: string): string =>
    isFull ? hideTokenLike(secrets.hide(text)) : secrets.hide(text);
  const shown = { hide };
  const findings = report.findings.map((finding): ApiFinding => {
    const { sent, came } = finding;
    const hidden = {
      ...sent,
      url: hide(sent.url),
      headers: hideAll(Object.entries(sent.headers), secrets),
      ...(sent.body !== undefined && { body: showBody(sent.body, shown) }),
    };
    return {
      ...finding,
      fault: hide(finding.fault),
      sent: hidden,
      curl: toCurl(hidden),
      ...(came && {
        came: {
          ...came,
          headers: hideAll(Object.entries(came.headers), secrets),
          body: showBody(came.body, shown),
        },
      }),
    };
  });
  return secrets.hideIn({ ...report, findings });
}

/** Long words of letters and digits, except for dates. */
const hideTokenLike = (text: string): string =>
  text.replaceAll(/[\w\-.~+=]{16,}/g, (word) =>
    /^\d{4}-\d\d-\d\dT/.test(word) || !/\d/.test(word) || !/[a-z]/i.test(word) ? word : "$TOKEN",
  );
