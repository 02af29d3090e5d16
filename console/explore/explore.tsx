import { type ReadonlySignal, signal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { findKind, type KindInfo, kinds, kindsError } from '../api/index.ts';
import { route } from '../route/index.ts';
import { Empty, ErrorPanel, Waiting } from '../widgets/index.ts';
import { Bar } from './bar.tsx';
import { Facets } from './facets.tsx';
import { Footer } from './footer.tsx';
import { Home } from './home.tsx';
import { LiveTable } from './live-table.ts';
import { narrowing } from './narrowing.ts';
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
  const painted = usePainted(draft);
  const question = JSON.stringify([namespace, selector, fields, as, groups]);
  const [live, setLive] = useState<LiveTable>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the question
  useEffect(() => {
    const table = new LiveTable({ kind, namespace, selector, fields });
    setLive(table);
    return () => table.stop();
  }, [kind, question]);
  const shown = useMemo(
    () => (live === undefined ? undefined : narrowing(live, selector, painted)),
    [live, selector, painted],
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
            <Facets kind={kind} live={live} shown={shown} />
            <SetPanel kind={kind} live={live} shown={shown} />
          </div>
          <Footer kind={kind} live={live} />
        </>
      )}
    </>
  );
}

/** A signal that takes over what the user types once the browser has painted it, so that work for it delays no key. */
function usePainted(typed: ReadonlySignal<string>): ReadonlySignal<string> {
  const painted = useMemo(() => signal(typed.peek()), [typed]);
  useEffect(() => {
    let frame = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const cancel = () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
    const unsubscribe = typed.subscribe((text) => {
      cancel();
      frame = requestAnimationFrame(() => {
        timer = setTimeout(() => {
          painted.value = text;
        });
      });
    });
    return () => {
      unsubscribe();
      cancel();
    };
  }, [typed, painted]);
  return painted;
}
