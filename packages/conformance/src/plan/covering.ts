// Covering arrays of strength 2: a few rows in which every pair of values of two dimensions occurs together.

export type Dimensions = Readonly<Record<string, readonly string[]>>;
export type Row<Of extends Dimensions> = { readonly [Name in keyof Of]: Of[Name][number] };

/** `isPossible` returns false for combinations that cannot be requested. No row contains one. */
export function coverPairs<Of extends Dimensions>(
  dimensions: Of,
  isPossible: (row: Row<Of>) => boolean = () => true,
): Row<Of>[] {
  const rows = listRows(dimensions).filter(isPossible);
  const left = new Set(rows.flatMap(pairsOf));
  const chosen: Row<Of>[] = [];
  while (left.size > 0) {
    const [first, ...others] = rows;
    if (first === undefined) break;
    const gain = (row: Row<Of>) => pairsOf(row).filter((pair) => left.has(pair)).length;
    const best = others.reduce((most, row) => (gain(row) > gain(most) ? row : most), first);
    for (const pair of pairsOf(best)) left.delete(pair);
    chosen.push(best);
  }
  return chosen;
}

/** The complete product: dimensions are few and short. */
function listRows<Of extends Dimensions>(dimensions: Of): Row<Of>[] {
  const rows = Object.entries(dimensions).reduce<Readonly<Record<string, string>>[]>(
    (made, [name, values]) =>
      made.flatMap((row) => values.map((value) => ({ ...row, [name]: value }))),
    [{}],
  );
  return rows as Row<Of>[]; // each has a value of every dimension
}

function pairsOf(row: Readonly<Record<string, string>>): string[] {
  const entries = Object.entries(row).map(([name, value]) => `${name}=${value}`);
  return entries.flatMap((one, index) =>
    entries.slice(index + 1).map((other) => `${one} ${other}`),
  );
}
