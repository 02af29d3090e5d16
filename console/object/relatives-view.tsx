import type { Row } from '../api/index.ts';
import type { KubeObject } from '../what-if/index.ts';
import { ErrorPanel, useAsked } from '../widgets/index.ts';
import { ObjectLink } from './object-link.tsx';
import type { Place } from './object-requests.ts';
import { ownersKey, type Relative, readOwners } from './owners.ts';
import { hasDependents, readDependents } from './relatives.ts';

/** The most dependents that are shown. */
const MOST = 50;

interface RelativesProps {
  readonly place: Place;
  readonly metadata: Row['metadata'];
  /** Undefined before it is read. */
  readonly object: KubeObject | undefined;
}

/** The owners of an object above it, and the objects that it owns below it. */
export function Relatives({ place: { kind, name }, metadata, object }: RelativesProps) {
  const key = ownersKey(metadata);
  const above = useAsked<readonly Relative[]>(key, (signal, show) => readOwners(metadata, signal, show));
  const below = useAsked(
    `${key} ${object !== undefined}`,
    async (signal) => object && readDependents(kind, object, signal),
  );
  const { ownerReferences = [] } = metadata;
  if (ownerReferences.length === 0 && !hasDependents(kind)) return null;
  const { answer: owners, error = below.error } = above;
  if (error !== undefined) {
    return <ErrorPanel error={error} retry={above.error === undefined ? below.again : above.again} />;
  }
  if (owners === undefined) return null;
  const { found = [], hasMore = false } = below.answer ?? {};
  const more = found.length - MOST;
  return (
    <section>
      <h3>Owners and dependents</h3>
      <ul class="tree">
        {owners.map((owner, depth) => (
          <Leaf key={owner.kind + owner.name} relative={owner} depth={depth} />
        ))}
        <li class={`depth-${owners.length}`}>
          <span class="meta">{kind.kind}</span> <b class="mono">{name}</b>
        </li>
        {found.slice(0, MOST).map((one) => (
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

const STATES = {
  asked: '',
  here: '',
  gone: 'does not exist any more',
  unknown: 'you may not see it',
} as const;

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
