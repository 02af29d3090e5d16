import { computed, type ReadonlySignal } from '@preact/signals';
import { implies, type Selector } from '../../lib/selectors/index.ts';
import type { Row } from '../api/index.ts';
import { judge } from '../selector/index.ts';
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
  const wanted = computed(() => selectorOf(draft.value));
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
    selector: computed(() => (isNarrowed.value ? draft.value : selector)),
    isDimmed: computed(() => wanted.value === undefined || (isOther.value && !isNarrowed.value)),
    rows: computed(() => {
      const narrower = wanted.value;
      if (!isNarrowed.value || narrower === undefined) return live.rows.value;
      return live.rows.value.filter(({ metadata }) => narrower.matches(metadata.labels ?? {}));
    }),
  };
}

function selectorOf(text: string): Selector | undefined {
  const verdict = judge(text);
  return 'selector' in verdict ? verdict.selector : undefined;
}
