// Computes the positions of the list's rows: all of one height, with a heading above the first of each known day.

export interface Layout {
  readonly height: number;
  /** Rows with a heading above them, in order. */
  readonly headings: readonly number[];
  /** The top edge of a row, below its heading. */
  readonly topOf: (row: number) => number;
  /** The row at this height, or the row below the heading at this height. */
  readonly rowAt: (top: number) => number;
}

export interface Sizes {
  readonly row: number;
  readonly heading: number;
}

/** `headings` are the rows that have a heading, in order. */
export function createLayout(count: number, headings: readonly number[], sizes: Sizes): Layout {
  /** Counts the headings above `row`, including its own. */
  const headingsTo = (row: number): number => {
    let low = 0;
    let high = headings.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((headings[middle] ?? 0) <= row) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const topOf = (row: number) => row * sizes.row + headingsTo(row) * sizes.heading;
  return {
    height: count * sizes.row + headings.length * sizes.heading,
    headings,
    topOf,
    rowAt(top) {
      let low = 0;
      let high = Math.max(0, count - 1);
      while (low < high) {
        const middle = (low + high) >> 1;
        if (topOf(middle) + sizes.row > top) high = middle;
        else low = middle + 1;
      }
      return low;
    },
  };
}

/** Rows whose day differs from that of the row before, if both days are known. */
export function findHeadings(days: Iterable<readonly [row: number, day: string]>): number[] {
  const headings: number[] = [];
  let before: readonly [number, string] | undefined;
  for (const one of days) {
    if (before === undefined || one[0] !== before[0] + 1 || one[1] !== before[1])
      headings.push(one[0]);
    before = one;
  }
  return headings;
}
