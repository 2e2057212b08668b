// The command line of the drift benchmark.
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { openDemo } from "./demo.ts";
import { mutants } from "./mutants/index.ts";
import { toPeerTable } from "./peers/peers.ts";
import { isCaught, isQuiet, toFaults, toMutantTable, toVariantTable } from "./report.ts";
import { runAll, runMutant, runVariant } from "./run.ts";
import { variants } from "./variants/index.ts";

const USAGE = `drift [--only ID]... [--class CLASS]... [--variants] [--peers]

Checks services that drift on purpose with the conformance kit, and services that differ lawfully. Exits 1 when a mutant
is missed or a lawful variant is taken for drift.

--only      a mutant or a variant by its id
--class     the mutants of a class, for example "media bytes"
--variants  the lawful variants alone
--peers     other tools on the same mutants too`;

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    class: { type: "string", multiple: true },
    variants: { type: "boolean", default: false },
    peers: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});

if (values.help) console.log(USAGE);
else await main();

async function main(): Promise<void> {
  const { only, class: classes } = values;
  const isWanted = ({ id }: { readonly id: string }) => only === undefined || only.includes(id);
  const chosenMutants = values.variants
    ? []
    : mutants.filter(
        (mutant) => isWanted(mutant) && (classes === undefined || classes.includes(mutant.class)),
      );
  const chosenVariants = classes === undefined ? variants.filter(isWanted) : [];
  if (chosenMutants.length + chosenVariants.length === 0) {
    console.error("No mutant and no variant has that id or class.");
    process.exitCode = 2;
    return;
  }
  console.log(`${availableParallelism()} cores, Node.js ${process.version}, ${process.platform}.`);
  await using demo = await openDemo();
  const ofMutants = await runAll(chosenMutants, async (mutant) =>
    told(await runMutant(demo, mutant), isCaught),
  );
  const ofVariants = await runAll(chosenVariants, async (variant) =>
    told(await runVariant(demo, variant), isQuiet),
  );
  if (ofMutants.length > 0) console.log(toMutantTable(ofMutants));
  if (ofVariants.length > 0) console.log(toVariantTable(ofVariants));
  if (values.peers) console.log(await toPeerTable(demo, chosenMutants, chosenVariants));
  const faults = toFaults(ofMutants, ofVariants);
  for (const fault of faults) console.log(`\n${fault}`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

/** Shows on stderr how far the run is, since all of it takes minutes. */
function told<T extends { readonly subject: { readonly id: string }; readonly seconds: number }>(
  outcome: T,
  isRight: (outcome: T) => boolean,
): T {
  console.error(
    `${isRight(outcome) ? "ok  " : "FAIL"} ${outcome.subject.id} ${outcome.seconds.toFixed(1)} s`,
  );
  return outcome;
}
