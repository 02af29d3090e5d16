const GAP = 3;

/** Pads cells into columns, as kubectl prints them. The first row sets the number of columns. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const [first = []] = rows;
  const widths = first.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd((widths[column] ?? 0) + GAP))
      .join('')
      .trimEnd(),
  );
}
