// Converts rows whose columns have the names of the port.

/** Leaves out null columns: in the port's types these fields are optional. */
export function withoutNulls<Row extends object>(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Row; // otherwise of the same shape
}
