// Checks of the values that a program passes.

/** @throws TypeError with `fault`, a sentence that names the value and never quotes a secret. */
export function check(isRight: unknown, fault: string): asserts isRight {
  if (!isRight) throw new TypeError(fault);
}

/** @throws TypeError naming what `value` must be. */
export function checkInteger(
  name: string,
  value: unknown,
  [least, most]: readonly [least: number, most: number],
): void {
  check(
    Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most,
    `${name} must be an integer from ${least} to ${most}`,
  );
}
