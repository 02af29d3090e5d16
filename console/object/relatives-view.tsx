import type { KindInfo } from '../api/index.ts';
import type { KubeObject } from '../what-if/index.ts';
import { ErrorPanel, useAsked } from '../widgets/index.ts';
import { ObjectLink } from './object-link.tsx';
import { hasDependents, type Relative, readFamily } from './relatives.ts';

/** The most dependents that are shown. */
const MOST = 50;

/** The owners of an object above it, and the objects that it owns below it. */
export function Relatives({ kind, object }: { readonly kind: KindInfo; readonly object: KubeObject }) {
  const { uid, ownerReferences = [] } = object.metadata;
  const isAlone = ownerReferences.length === 0 && !hasDependents(kind);
  const { answer, error, again } = useAsked(JSON.stringify([uid, ownerReferences]), async (signal) =>
    isAlone ? undefined : await readFamily(kind, object, signal),
  );
  if (isAlone) return null;
  if (error !== undefined) return <ErrorPanel error={error} retry={again} />;
  if (answer === undefined) return null;
  const { owners, dependents, hasMore } = answer;
  const more = dependents.length - MOST;
  return (
    <section>
      <h3>Owners and dependents</h3>
      <ul class="tree">
        {owners.map((owner, depth) => (
          <Leaf key={owner.kind + owner.name} relative={owner} depth={depth} />
        ))}
        <li class={`depth-${owners.length}`}>
          <span class="meta">{kind.kind}</span> <b class="mono">{object.metadata.name}</b>
        </li>
        {dependents.slice(0, MOST).map((one) => (
          <Leaf key={one.name} relative={one} depth={owners.length + 1} />
        ))}
        {(more > 0 || hasMore) && (
          <li class={`meta depth-${owners.length + 1}`}>
            {more > 0 && !hasMore ? `and ${more} more` : 'and more'}
          </li>
        )}
      </ul>
    </section>
  );
}

const STATES = { here: '', gone: 'does not exist any more', unknown: 'you may not see it' } as const;

function Leaf({ relative, depth }: { readonly relative: Relative; readonly depth: number }) {
  const { kind, kindId, namespace, name, state } = relative;
  return (
    <li class={`depth-${depth}`}>
      <span class="meta">{kind}</span>{' '}
      {state === 'here' ? (
        <ObjectLink kindId={kindId} namespace={namespace} name={name} />
      ) : (
        <>
          <span class="mono">{name}</span>{' '}
          <span class={state === 'gone' ? 'leave' : 'meta'}>{STATES[state]}</span>
        </>
      )}
    </li>
  );
}
