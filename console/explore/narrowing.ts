import { computed, type ReadonlySignal } from '@preact/signals';
import { implies, type Selector } from '../../lib/selectors/index.ts';
import type { Row } from '../api/index.ts';
import { completionAt, judge } from '../selector/index.ts';
import type { LiveTable } from './live-table.ts';

/** The part of a set that the unfinished selector selects. */
export interface Narrowed {
  readonly rows: ReadonlySignal<readonly Row[]>;
  /** The selector of `rows`. */
  readonly selector: ReadonlySignal<string>;
  /** Whether `rows` are those of the unfinished selector. */
  readonly isNarrowed: ReadonlySignal<boolean>;
  /** Whether the unfinished selector selects other objects than the page has. */
  readonly isDimmed: ReadonlySignal<boolean>;
}

/** While the user types, a selector that only narrows a set that is all here selects in the page. */
export function narrowing(live: LiveTable, selector: string, draft: ReadonlySignal<string>): Narrowed {
  // The selector of a link may be wrong.
  const current = selectorOf(selector);
  // An unfinished word selects nothing yet: the requirements before it do.
  const finished = computed(() =>
    draft.value === selector ? selector : finishedPart(draft.value, live.rows.value),
  );
  const wanted = computed(() => selectorOf(finished.value));
  const isOther = computed(() => wanted.value !== undefined && String(wanted.value) !== String(current));
  const isNarrowed = computed(() => {
    const narrower = wanted.value;
    return (
      isOther.value &&
      live.complete.value &&
      narrower !== undefined &&
      current !== undefined &&
      implies(narrower, current)
    );
  });
  return {
    isNarrowed,
    selector: computed(() => (isNarrowed.value ? finished.value : selector)),
    isDimmed: computed(
      () =>
        wanted.value === undefined || finished.value !== draft.value || (isOther.value && !isNarrowed.value),
    ),
    rows: computed(() => {
      const narrower = wanted.value;
      if (!isNarrowed.value || narrower === undefined) return live.rows.value;
      return live.rows.value.filter(({ metadata }) => narrower.matches(metadata.labels ?? {}));
    }),
  };
}

/**
 * The part of a selector that the user has finished: without a key that no row has, and without a wanted value that is
 * only the beginning of a value.
 */
export function finishedPart(text: string, rows: readonly Row[]): string {
  const { place, key, prefix, others } = completionAt(text, text.length);
  if (prefix === '') return text;
  const some = (test: (labels: Readonly<Record<string, string>>) => boolean | undefined) =>
    rows.some(({ metadata }) => test(metadata.labels ?? {}));
  if (place === 'key') return some((labels) => prefix in labels) ? text : others;
  const isBegun =
    /[^!]=[^=,]*$/.test(text) &&
    some((labels) => labels[key]?.startsWith(prefix)) &&
    !some((labels) => labels[key] === prefix);
  return isBegun ? others : text;
}

function selectorOf(text: string): Selector | undefined {
  const verdict = judge(text);
  return 'selector' in verdict ? verdict.selector : undefined;
}
