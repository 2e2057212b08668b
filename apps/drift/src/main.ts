// The command line of the drift benchmark.
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { type Chosen, runBenchmark } from "./benchmark.ts";
import { openDemo } from "./demo.ts";
import { everyField } from "./mutants/fields.ts";
import { mutants } from "./mutants/index.ts";
import { variants } from "./variants/index.ts";

const USAGE = `drift [--only ID]... [--class CLASS]... [--every-field] [--variants]

Checks services that drift on purpose with the conformance kit. Exits 1 when a mutant is missed or a lawful variant is
taken for drift, 2 when it was asked for what there is not.

--only         a mutant or a variant by its id
--class        the mutants of a class, for example "media bytes"
--every-field  the generated mutants alone, of each field of each schema: ${everyField.length}
--variants     the lawful variants alone, each in a service of its own`;

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    class: { type: "string", multiple: true },
    "every-field": { type: "boolean", default: false },
    variants: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});

if (values.help) console.log(USAGE);
else await main();

async function main(): Promise<void> {
  const chosen = choose();
  if (chosen.mutants.length + chosen.variants.length === 0) {
    console.error("There is no such mutant and no such variant. See --help.");
    process.exitCode = 2;
    return;
  }
  console.log(`${availableParallelism()} cores, Node.js ${process.version}, ${process.platform}.`);
  await using demo = await openDemo();
  const { tables, faults } = await runBenchmark(demo, chosen);
  console.log(tables);
  for (const fault of faults) console.log(`\n${fault}`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

function choose(): Chosen {
  const { only, class: classes, "every-field": isEveryField, variants: isVariants } = values;
  const isWanted = ({ id }: { readonly id: string }) => only?.includes(id) ?? true;
  const ofClasses = (isEveryField ? everyField : mutants).filter(
    (mutant) => classes?.includes(mutant.class) ?? true,
  );
  return {
    mutants: isVariants ? [] : ofClasses.filter(isWanted),
    variants: isVariants || only !== undefined ? variants.filter(isWanted) : [],
  };
}
