// A set of terms that is filled and cleared again and again: each of a call's terms is written once.

export interface TermSet {
  /** False if it was already in the set. */
  add(term: number): boolean;
  has(term: number): boolean;
  readonly size: () => number;
  clear(): void;
}

const FIRST_SLOTS = 2 ** 12;
const FACTOR = 0x9e37_79b1;

export function createTermSet(): TermSet {
  let slots = createSlots(FIRST_SLOTS);
  let size = 0;
  // A slot of an earlier turn counts as empty, so nothing has to be cleared.
  let turn = 1;
  const find = (term: number): number => {
    const last = slots.terms.length - 1;
    let at = (Math.imul(term, FACTOR) >>> 7) & last;
    while (slots.turns[at] === turn && slots.terms[at] !== term) at = (at + 1) & last;
    return at;
  };
  const put = (at: number, term: number): void => {
    slots.terms[at] = term;
    slots.turns[at] = turn;
  };
  const grow = (): void => {
    const { terms, turns } = slots;
    slots = createSlots(terms.length * 2);
    for (const [at, term] of terms.entries()) if (turns[at] === turn) put(find(term), term);
  };
  return {
    add: (term) => {
      const at = find(term);
      if (slots.turns[at] === turn) return false;
      put(at, term);
      size += 1;
      if (size * 2 > slots.terms.length) grow();
      return true;
    },
    has: (term) => slots.turns[find(term)] === turn,
    size: () => size,
    clear: () => {
      turn += 1;
      size = 0;
    },
  };
}

function createSlots(count: number) {
  return { terms: new Float64Array(count), turns: new Uint32Array(count) };
}
