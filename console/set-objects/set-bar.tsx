import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { loadNamespaces, namespaces, watchState } from '../api/index.ts';
import { navigate, route } from '../route/index.ts';

interface SetBarProps {
  readonly title: string;
  /** A short text beside the title, such as a number. */
  readonly note?: string;
  /** The state of the set that the view follows, if it follows one. */
  readonly state?: string;
  readonly children?: ComponentChildren;
}

/** The top of a view: its title, the namespace, and what the view adds. */
export function SetBar({ title, note = '', state, children }: SetBarProps) {
  const { namespace } = route.value;
  useEffect(() => void loadNamespaces(), []);
  const known = namespaces.value.includes(namespace) || namespace === '' ? [] : [namespace];
  return (
    <div class="view-bar">
      <h1>{title}</h1>
      <span class="meta">{note}</span>
      <select
        aria-label="Namespace"
        value={namespace}
        onChange={(event) => navigate({ namespace: event.currentTarget.value })}
      >
        <option value="">all namespaces</option>
        {[...known, ...namespaces.value].map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
      {state !== undefined && <Freshness state={state} />}
      {children}
    </div>
  );
}

/** Whether the view shows what the server has now. */
function Freshness({ state }: { readonly state: string }) {
  const isResting = state === 'stale' && watchState.value === 'resting';
  return (
    <span class="meta freshness" role="status">
      <span class={`dot ${isResting ? '' : state}`} aria-hidden="true" />
      {isResting ? 'resting while the tab is hidden' : wordsOf(state)}
    </span>
  );
}

function wordsOf(state: string): string {
  if (state === 'live') return watchState.value === 'asking' ? 'asks every 15 s' : 'live';
  if (state === 'stale') return 'not current: the server does not answer';
  return state === 'stopped' ? 'stopped' : 'loading';
}
