// The parts together are the complete list, share no row, and each has the value that names it.
import { findList, keysOf, type Read, readAll, valuesOf } from "../values/lists.ts";
import { show, toRowPlace } from "../values/places.ts";
import { type Law, unchecked } from "./law.ts";

export const partitionLaw: Law<"partition"> = {
  cost: 5,
  judge: async function* judge({ by, into, whole, field }, { id }, run) {
    const list = await findList(run, id);
    if (list === undefined) {
      yield unchecked("partition", "no rows were found");
      return;
    }
    const { [by]: _by, ...query } = list.query;
    const all = await readAll(run, {
      operation: id,
      query: { ...query, ...(whole !== undefined && { [by]: whole }) },
    });
    const expected = keysOf(run, id, all.rows);
    const found = new Map<string, string>();
    const owners = new Map<unknown, string>();
    const parts: Read[] = [];
    for (const part of into) {
      const read = await readAll(run, { operation: id, query: { ...query, [by]: part } });
      const [answer] = read.answers;
      if (answer === undefined) return;
      parts.push(read);
      const keys = keysOf(run, id, read.rows);
      const twice = keys.find((key, index) => found.has(key) || keys.indexOf(key) < index);
      for (const key of keys) found.set(key, part);
      yield {
        clause: "partition.disjoint",
        answer,
        witness: keys.length > 0 ? "a part with rows" : undefined,
        fault:
          twice === undefined ? undefined : `${twice} is in ${part} twice, or in another part too`,
      };
      const place =
        field === undefined ? undefined : toRowPlace(field, run.listInfo(id)?.items ?? "");
      const wrong =
        place === undefined
          ? undefined
          : read.rows
              .flatMap((row) => valuesOf(row, [place]))
              .find((value) => (owners.get(value) ?? nameOf(value, part)) !== part);
      if (place !== undefined) {
        for (const row of read.rows)
          for (const value of valuesOf(row, [place])) owners.set(value, part);
        yield {
          clause: "partition.field",
          answer,
          witness: keys.length > 0 ? "a part with rows" : undefined,
          fault:
            wrong === undefined
              ? undefined
              : { at: place, fault: `${place} is ${show(wrong)} in the part ${part}` },
        };
      }
    }
    const [answer] = all.answers;
    // A service may respond to an empty part with 404.
    const isRead = ({ isWhole, answers }: Read) => isWhole || answers[0]?.status === 404;
    if (answer === undefined || !all.isWhole || !parts.every(isRead)) return;
    const lost = expected.find((key) => !found.has(key));
    const more = [...found.keys()].find((key) => !expected.includes(key));
    const filled = parts.filter(({ rows }) => rows.length > 0).length;
    const fault =
      lost === undefined
        ? more && `${more} is in ${found.get(more)} and not in the whole`
        : `${lost} is in no part`;
    yield {
      clause: "partition.whole",
      answer,
      witness: filled > 1 ? "two parts with rows" : undefined,
      fault,
    };
  },
};

/** A text is the name of its part. The service chooses other values, each for only one part. */
const nameOf = (value: unknown, part: string): string =>
  typeof value === "string" && value.toLowerCase() !== part.toLowerCase() ? value : part;
