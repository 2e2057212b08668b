// A check that ends as soon as it has found the subject of a test.

export interface Stopping {
  /** The requirements of the findings until then, in their order. */
  readonly found: readonly string[];
  /** To be spread into the options of a check. */
  readonly options: {
    readonly onFinding: (finding: { readonly requirement: string }) => void;
    readonly signal: AbortSignal;
  };
}

/** Ends a check with the first finding of `requirement`, or with any. */
export function stopAt(requirement?: string): Stopping {
  const found: string[] = [];
  const enough = new AbortController();
  const onFinding: Stopping["options"]["onFinding"] = (finding) => {
    found.push(finding.requirement);
    if (requirement === undefined || finding.requirement === requirement) enough.abort();
  };
  return { found, options: { onFinding, signal: enough.signal } };
}
