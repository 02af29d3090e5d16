import { type ReadonlySignal, signal } from '@preact/signals';
import { asking } from './client.ts';

const ACCEPT = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

const found = signal<readonly string[]>([]);

/** The names of the namespaces, if the user may list them; 500 at most. */
export const namespaces: ReadonlySignal<readonly string[]> = found;

/** Reads the names of the namespaces again. The names of the last time stay until they are there. */
export async function loadNamespaces(): Promise<void> {
  const asked = await asking<{ items: { metadata: { name: string } }[] }>('/api/v1/namespaces', {
    accept: ACCEPT,
    query: { limit: '500' },
  });
  if ('answer' in asked) found.value = asked.answer.items.map(({ metadata }) => metadata.name);
}
