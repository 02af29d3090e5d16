import { ask, findKind, METADATA_LIST, pathOf, sentence } from '../api/index.ts';
import { judge } from '../selector/index.ts';
import { Labels, useAsked } from '../widgets/index.ts';
import type { SetDraft } from './draft-fields.tsx';

interface Facets {
  readonly count: number;
  readonly facets: readonly {
    readonly key: string;
    readonly absent: number;
    readonly values: readonly { readonly value: string; readonly count: number }[];
  }[];
}

interface Metadata {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

/** The number of examples. */
const SAMPLE = 4;

/** The question behind a drafted set: undefined while its selector is wrong. */
function questionOf({ resource, namespace, everywhere, selector, fields }: SetDraft) {
  const kind = findKind(resource);
  if (kind === undefined || !('selector' in judge(selector))) return undefined;
  const path = pathOf(kind, everywhere ? '' : namespace);
  return { path, query: { labelSelector: selector.trim(), fieldSelector: fields.trim() } };
}

/** The numbers of the objects that a drafted set has now, by the values of labels. */
export function useFacets(draft: SetDraft, keys: readonly string[]) {
  const question = questionOf(draft);
  const query = { ...question?.query, facets: keys.join(',') };
  return useAsked<Facets | undefined>(JSON.stringify([question?.path, query]), async (signal) => {
    if (question === undefined) return undefined;
    // A moment of patience: the user types.
    await new Promise((resolve) => setTimeout(resolve, 200));
    signal.throwIfAborted();
    return ask<Facets>(question.path, { query, signal });
  });
}

/** How many objects a drafted set has now, with some of them. */
export function MatchCount({ draft }: { readonly draft: SetDraft }) {
  // Any key gives the number of objects.
  const { answer, error } = useFacets(draft, ['app']);
  const question = questionOf(draft);
  const sample = useAsked<readonly Metadata[]>(JSON.stringify(question ?? ''), async (signal) => {
    if (question === undefined) return [];
    const query = { ...question.query, limit: String(SAMPLE) };
    const { items } = await ask<{ items: readonly Metadata[] }>(question.path, {
      query,
      accept: METADATA_LIST,
      signal,
    });
    return items;
  });
  if (error !== undefined) return <p class="field-error">{sentence(error)}</p>;
  if (question === undefined) return <p class="meta">Nothing, while the selector is wrong</p>;
  if (answer === undefined) return <p class="meta">…</p>;
  return (
    <>
      <p role="status">
        <b>{answer.count.toLocaleString('en')}</b> {answer.count === 1 ? 'object matches' : 'objects match'}
      </p>
      <ul class="examples">
        {(sample.answer ?? []).map(({ metadata }) => (
          <li key={`${metadata.namespace}/${metadata.name}`}>
            <span class="mono">{metadata.name}</span> <Labels labels={metadata.labels} />
          </li>
        ))}
      </ul>
    </>
  );
}
