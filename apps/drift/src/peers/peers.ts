// The same mutants and variants before another tool, for comparison.
import type { Demo } from "../demo.ts";
import type { Mutant } from "../mutants/mutant.ts";
import { toTable } from "../table.ts";
import type { Variant } from "../variants/variant.ts";
import { openPrismJudge } from "./prism.ts";

/** Other tools judge by the whole document, which the lawful variants depart from: their alarms are shown, not blamed. */
export async function toPeerTable(
  demo: Demo,
  mutants: readonly Mutant[],
  variants: readonly Variant[],
): Promise<string> {
  const started = performance.now();
  await using prism = await openPrismJudge(demo);
  const verdicts: boolean[] = [];
  for (const drift of [...mutants, ...variants]) verdicts.push(await prism.judge(drift));
  const ofMutants = verdicts.slice(0, mutants.length);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const classes = Map.groupBy(mutants.keys(), (index) => mutants[index]?.class ?? "");
  const lines = [...classes].map(([name, of]) => [
    name,
    count(of.map((index) => ofMutants[index])),
    String(of.length),
  ]);
  const total = ["all", count(ofMutants), String(mutants.length)];
  const title = `Prism's validating proxy on the same mutants, with scripted requests, in ${seconds} s; ${count(verdicts.slice(mutants.length))} of ${variants.length} lawful variants go against its document`;
  return toTable(title, [["class", "caught", "seeded"], ...lines, total]);
}

const count = (verdicts: readonly (boolean | undefined)[]) =>
  String(verdicts.filter(Boolean).length);
