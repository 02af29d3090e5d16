import { useSignal } from '@preact/signals';
import type { KindInfo } from '../api/index.ts';
import { navigate } from '../route/index.ts';
import { ageOf, now } from '../widgets/index.ts';
import { Explain } from './explain.tsx';
import type { LiveTable, TableState } from './live-table.ts';

const WORDS: Readonly<Record<TableState, string>> = {
  starting: 'Loading',
  live: 'Live',
  asking: 'Every 15 s, because other tabs watch',
  resting: 'Paused while the tab was hidden',
  stale: 'Stale',
  stopped: 'No longer live',
};

/** How current the set is, the plan that found it, and the way to the past. */
export function Footer({ kind, live }: { readonly kind: KindInfo; readonly live: LiveTable }) {
  const explaining = useSignal(false);
  const state = live.state.value;
  const version = live.version.value;
  const changed = live.changedAt.value;
  const stale = live.staleSince.value;
  const error = live.error.value;
  return (
    <footer class="explore-foot">
      <span class={`dot ${state}`} />
      <span role="status" title="The resourceVersion of the state that the rows show">
        {WORDS[state]}
        {stale > 0 && ` since ${new Date(stale).toLocaleTimeString()}`}
        {version !== '' && stale === 0 && ` at version ${Number(version).toLocaleString('en')}`}
      </span>
      {state !== 'stopped' && (
        <span>{changed === 0 ? '· no change yet' : `· changed ${ageOf(changed, now.value)} ago`}</span>
      )}
      {error !== undefined && live.rows.value.length > 0 && <span class="leave">{error.message}</span>}
      <span class="actions">
        <button type="button" class="link" onClick={() => navigate({ at: '10m' })}>
          Time
        </button>
        <button type="button" class="link" onClick={() => (explaining.value = true)}>
          Explain
        </button>
      </span>
      {explaining.value && <Explain kind={kind} close={() => (explaining.value = false)} />}
    </footer>
  );
}
