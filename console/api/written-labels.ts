type Labels = Readonly<Record<string, string>>;

/** The time for which a write explains what the watch tells, in ms. */
const JUST = 5_000;
const MOST = 1_000;

const written = new Map<string, { readonly labels: Labels; readonly at: number }>();

/** Notes the labels that the page writes: a watch does not tell them of an object that leaves the set. */
export function noteWritten(uid: string, labels: Labels): void {
  if (written.size >= MOST) written.clear();
  written.set(uid, { labels, at: Date.now() });
}

/** Forgets labels that were not written. */
export function forgetWritten(uid: string): void {
  written.delete(uid);
}

/** The labels that the page has just written to an object; undefined if it has not. */
export function writtenLabels(uid: string): Labels | undefined {
  const found = written.get(uid);
  return found !== undefined && Date.now() - found.at < JUST ? found.labels : undefined;
}
