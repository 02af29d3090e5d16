/** What the title of a view of k9s says: `pods(default)[1,250] </environment=qa>`. */
export interface K9sTitle {
  /** The plural name of the kind: `pods`. */
  readonly view: string;
  readonly count: number;
  /** The filter, without its slash; empty without one. */
  readonly filter: string;
}

const TITLE = /[─\s]([a-z.]+)\([^)]*\)\[([\d,]+)\](?: <\/([^>]*)>)?[─\s]/;

/** Reads the title of the view. Undefined while k9s shows no list, for example while it is starting. */
export function titleOf(screen: string): K9sTitle | undefined {
  const [, view, count = '', filter = ''] = TITLE.exec(screen) ?? [];
  return view === undefined ? undefined : { view, count: Number(count.replaceAll(',', '')), filter };
}

/** The row of an object in the list, as a line without the frame. Undefined if it is not in view. */
export function rowOf(screen: string, name: string): string | undefined {
  const rows = screen.split('\n').map((line) => line.replaceAll('│', ' ').trim());
  return rows.find((row) => row.split(/\s+/, 1)[0] === name);
}

/** Whether the list has its wide columns, such as the labels. */
export function isWide(screen: string): boolean {
  return /NAME.* LABELS/.test(screen);
}
