import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { loadNamespaces, namespaces } from '../api/index.ts';
import { navigate, route } from '../route/index.ts';

interface SetBarProps {
  readonly title: string;
  /** A short text beside the title, such as a number. */
  readonly note?: string;
  readonly children?: ComponentChildren;
}

/** The top of a view: its title, the namespace, and what the view adds. */
export function SetBar({ title, note = '', children }: SetBarProps) {
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
      {children}
    </div>
  );
}
