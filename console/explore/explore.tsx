import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { implies, type Selector } from '../../lib/selectors/index.ts';
import { findKind, type KindInfo, kinds, kindsError, type Row } from '../api/index.ts';
import { route } from '../route/index.ts';
import { judge } from '../selector/index.ts';
import { Empty, ErrorPanel, Waiting } from '../widgets/index.ts';
import { Bar } from './bar.tsx';
import { Facets } from './facets.tsx';
import { Footer } from './footer.tsx';
import { Home } from './home.tsx';
import { LiveTable } from './live-table.ts';
import { Past } from './past.tsx';
import { SetPanel } from './set-panel.tsx';

/** The view of one set of objects. */
export function Explore() {
  const { kind: id } = route.value;
  const kind = findKind(id);
  if (kindsError.value !== undefined) return <ErrorPanel error={kindsError.value} />;
  if (kinds.value.length === 0) return <Waiting what="Loading the kinds" />;
  if (id === '') return <Home />;
  if (kind === undefined) {
    return (
      <Empty title={`Winnow serves no kind "${id}".`}>
        <p>
          Press <kbd>Ctrl K</kbd> to choose a kind.
        </p>
      </Empty>
    );
  }
  return <ExploreKind key={kind.id} kind={kind} />;
}

function ExploreKind({ kind }: { readonly kind: KindInfo }) {
  const { namespace, selector, fields, at, as, groups } = route.value;
  const draft = useMemo(() => signal(selector), [selector]);
  const question = JSON.stringify([namespace, selector, fields, as, groups]);
  const [live, setLive] = useState<LiveTable>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the question
  useEffect(() => {
    const table = new LiveTable({ kind, namespace, selector, fields });
    setLive(table);
    return () => table.stop();
  }, [kind, question]);
  const shown = useMemo(
    () => (live === undefined ? undefined : narrowing(live, selector, draft)),
    [live, draft],
  );
  return (
    <>
      <Bar kind={kind} draft={draft} />
      {live === undefined || shown === undefined ? (
        <div class="split" />
      ) : at !== '' ? (
        <Past kind={kind} live={live} />
      ) : (
        <>
          <div class="split">
            <Facets kind={kind} live={live} rows={shown.rows} />
            <SetPanel kind={kind} live={live} shown={shown} />
          </div>
          <Footer kind={kind} live={live} />
        </>
      )}
    </>
  );
}

/** The part of a set that the unfinished selector selects. */
export interface Narrowed {
  readonly rows: ReadonlySignal<readonly Row[]>;
  /** Whether `rows` are those of the unfinished selector. */
  readonly isNarrowed: ReadonlySignal<boolean>;
  /** Whether the unfinished selector selects other objects than the page has. */
  readonly isDimmed: ReadonlySignal<boolean>;
}

/** While the user types, a selector that only narrows a set that is all here selects in the page. */
function narrowing(live: LiveTable, selector: string, draft: ReadonlySignal<string>): Narrowed {
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
