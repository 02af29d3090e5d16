/** The name that is most similar to a written one; undefined if none is similar. */
export function nearest(written: string, names: readonly string[]): string | undefined {
  const most = Math.ceil(written.length / 2);
  const [best] = names
    .map((name) => ({ name, distance: distance(written.toLowerCase(), name.toLowerCase()) }))
    .filter((one) => one.distance <= most)
    .sort((one, other) => one.distance - other.distance);
  return best?.name;
}

/** The Levenshtein distance of two words. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...from].entries()) {
    const next = [at + 1];
    for (const [other, wanted] of [...to].entries()) {
      const [changed = 0, removed = 0, added = 0] = [row[other], row[other + 1], next[other]];
      next.push(Math.min(changed + (letter === wanted ? 0 : 1), removed + 1, added + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
