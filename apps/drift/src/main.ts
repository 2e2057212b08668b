// The command line of the drift benchmark.
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { runBenchmark } from "./benchmark.ts";
import { openDemo } from "./demo.ts";
import { everyField } from "./mutants/fields.ts";
import { mutants } from "./mutants/index.ts";
import { absent, peers } from "./peers/index.ts";
import { variants } from "./variants/index.ts";

const PEER_IDS = peers.map(({ id }) => id);
const USAGE = `drift [--only ID]... [--class CLASS]... [--every-field] [--variants] [--peers] [--peer ID]...

Checks services that drift on purpose with the conformance kit, and services that differ lawfully. Exits 1 when a mutant
is missed or a lawful variant is taken for drift, 2 when it was asked for what there is not.

--only         a mutant or a variant by its id
--class        the mutants of a class, for example "media bytes"
--every-field  the generated mutants alone, of each field of each schema: ${everyField.length}
--variants     the lawful variants alone
--peers        other tools on the same services too
--peer         one of them: ${PEER_IDS.join(", ")}`;

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    class: { type: "string", multiple: true },
    "every-field": { type: "boolean", default: false },
    variants: { type: "boolean", default: false },
    peers: { type: "boolean", default: false },
    peer: { type: "string", multiple: true, default: [] },
    help: { type: "boolean", short: "h", default: false },
  },
});

if (values.help) console.log(USAGE);
else await main();

async function main(): Promise<void> {
  const chosen = choose();
  const unknown = values.peer.filter((id) => !PEER_IDS.includes(id));
  if (chosen.mutants.length + chosen.variants.length === 0 || unknown.length > 0) {
    const what = unknown.length > 0 ? `tool ${unknown.join(", ")}` : "mutant and no variant";
    console.error(`There is no such ${what}. See --help.`);
    process.exitCode = 2;
    return;
  }
  console.log(`${availableParallelism()} cores, Node.js ${process.version}, ${process.platform}.`);
  await using demo = await openDemo();
  const { tables, faults } = await runBenchmark(demo, chosen);
  console.log(tables);
  if (chosen.peers.length > 0) console.log(toLegend(chosen.peers));
  for (const fault of faults) console.log(`\n${fault}`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}

function choose() {
  const { only, class: classes, "every-field": isEveryField } = values;
  const isWanted = ({ id }: { readonly id: string }) => only === undefined || only.includes(id);
  const ofClasses = (isEveryField ? everyField : mutants).filter(
    (mutant) => classes?.includes(mutant.class) ?? true,
  );
  return {
    mutants: values.variants ? [] : ofClasses.filter(isWanted),
    variants: classes === undefined && !isEveryField ? variants.filter(isWanted) : [],
    peers: peers.filter(({ id }) => values.peers || values.peer.includes(id)),
  };
}

function toLegend(chosen: typeof peers): string {
  const given = chosen.map((peer) => `${peer.name} was given ${peer.given}.`);
  return ["", ...given, ...absent].join("\n");
}
