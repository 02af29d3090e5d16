import { changeBetween, changed, isEmptyChange, type LabelChange, type Labels } from './label-change.ts';

/** An object whose labels change. */
export interface Labelled {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string | undefined;
    readonly labels?: Labels | undefined;
  };
}

/** Objects of one namespace with equal labels: the same selectors begin and stop to match them. */
export interface LabelSet<Of extends Labelled> {
  readonly namespace: string;
  readonly before: Labels;
  readonly after: Labels;
  readonly objects: readonly Of[];
}

export interface LabelSets<Of extends Labelled> {
  /** The largest set first. */
  readonly sets: readonly LabelSet<Of>[];
  /** The sets beyond the limit, and the objects that have them. */
  readonly leftOut: { readonly sets: number; readonly objects: number };
  /** The number of objects that the change leaves as they are. */
  readonly unchanged: number;
}

/** Groups the objects that a change concerns by their namespaces and labels. */
export function labelSets<Of extends Labelled>(
  objects: readonly Of[],
  change: LabelChange,
  most: number,
): LabelSets<Of> {
  const sets = new Map<string, { namespace: string; before: Labels; after: Labels; objects: Of[] }>();
  let unchanged = 0;
  for (const object of objects) {
    const { namespace = '', labels: before = {} } = object.metadata;
    const after = changed(before, change);
    if (isEmptyChange(changeBetween(before, after))) {
      unchanged += 1;
      continue;
    }
    const text = JSON.stringify([
      namespace,
      Object.entries(before).sort(([one], [other]) => (one < other ? -1 : 1)),
    ]);
    const set = sets.get(text) ?? { namespace, before, after, objects: [] };
    set.objects.push(object);
    sets.set(text, set);
  }
  const sorted = [...sets.values()].sort((one, other) => other.objects.length - one.objects.length);
  const rest = sorted.slice(most);
  return {
    sets: sorted.slice(0, most),
    leftOut: { sets: rest.length, objects: rest.reduce((sum, { objects: all }) => sum + all.length, 0) },
    unchanged,
  };
}
