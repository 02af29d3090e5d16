import { parseSelector } from '../../lib/selectors/index.ts';
import { ask, type KindInfo, namespaces, pathOf } from '../api/index.ts';
import { navigate, route } from '../route/index.ts';
import { Empty, useAsked } from '../widgets/index.ts';

/** The empty set: it says which part of the question matches nothing, and offers a question that has an answer. */
export function NoRows({ kind, isUnfinished }: { readonly kind: KindInfo; readonly isUnfinished: boolean }) {
  const { namespace, selector, fields, as, groups } = route.value;
  const key = JSON.stringify([kind.id, namespace, selector, fields, as, groups]);
  const { answer: wider = [] } = useAsked(key, (signal) => widerSets(kind, signal));
  // The selector of the address is not the one that the user is typing.
  if (isUnfinished) return <Empty title="No object matches what you have typed so far." />;
  if (selector === '' && fields === '') {
    return (
      <Empty title={`There are no ${kind.plural}${namespace === '' ? '' : ` in "${namespace}"`}.`}>
        {namespaces.value.length > 0 && namespace !== '' && !namespaces.value.includes(namespace) && (
          <p>There is no namespace of this name.</p>
        )}
        <p>They appear here as soon as they are created, for example by</p>
        <p>
          <code>kubectl apply -f {kind.singular}.yaml</code>
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="No object matches now.">
      <p>An object that begins to match appears here by itself.</p>
      {wider.length > 0 && <p>These would match:</p>}
      <ul>
        {wider.map((one) => (
          <li key={one.selector}>
            <button type="button" class="link mono" onClick={() => navigate({ selector: one.selector })}>
              {one.selector || 'every object'}
            </button>{' '}
            <span class="meta">{one.count.toLocaleString('en')} objects</span>
          </li>
        ))}
      </ul>
    </Empty>
  );
}

/** The selectors without one of the requirements that match objects, with the number of objects. */
async function widerSets(
  kind: KindInfo,
  signal: AbortSignal,
): Promise<readonly { readonly selector: string; readonly count: number }[]> {
  const { namespace, selector, fields } = route.value;
  const requirements = parseSelector(selector).requirements.map(String);
  const without = requirements.map((one) => requirements.filter((other) => other !== one).join(','));
  const candidates = [...new Set([...without.slice(0, 5), ''])];
  const counts = await Promise.all(
    candidates.map(async (candidate) => {
      const query = { facets: '*', labelSelector: candidate, fieldSelector: fields };
      const answer = await ask<{ readonly count: number }>(pathOf(kind, namespace), { query, signal }).catch(
        () => undefined,
      );
      return { selector: candidate, count: answer?.count ?? 0 };
    }),
  );
  return counts.filter(({ count }) => count > 0).slice(0, 5);
}
