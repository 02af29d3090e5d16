import { type ReadonlySignal, signal } from '@preact/signals';
import { asking, METADATA_LIST } from './client.ts';

const found = signal<readonly string[]>([]);

/** The names of the namespaces, if the user may list them; 500 at most. */
export const namespaces: ReadonlySignal<readonly string[]> = found;

/** Reads the names of the namespaces again. The names of the last time stay until they are there. */
export async function loadNamespaces(): Promise<void> {
  const asked = await asking<{ items: { metadata: { name: string } }[] }>('/api/v1/namespaces', {
    accept: METADATA_LIST,
    query: { limit: '500' },
  });
  if ('answer' in asked) found.value = asked.answer.items.map(({ metadata }) => metadata.name);
}
