import { ask, findKind } from '../api/index.ts';
import { navigate, openText, route } from '../route/index.ts';
import { exploreRoute, resourceId, type SetSpec } from '../sets/index.ts';
import { Age, Empty, ErrorPanel, Waiting } from '../widgets/index.ts';
import { type Beginning, changesSince, changeText, divideAt, type Transition } from './timeline.ts';
import { usePolled } from './use-polled.ts';

interface TimelineProps extends Beginning {
  readonly spec: SetSpec;
  readonly namespace: string;
  readonly position: string | undefined;
  /** The number of changes of the collection after the position. */
  readonly behind: number | undefined;
}

interface Histories {
  readonly items: readonly Transition[];
  readonly metadata: { readonly continue?: string };
  /** Why the list ends here. */
  readonly end?: string;
}

/** The newest changes that the timeline shows. */
const MOST = 50;
/** The pages that are read in one question. A page reads 1,000 changes of the whole collection. */
const PAGES = 5;
/** The pause between two questions if nothing seems to have changed, in s. */
const EVERY = 10;

const SIGNS = { Entered: '+', Created: '+', Changed: '~', Updated: '~', Left: '−', Deleted: '−' } as const;
const TONES = { '+': 'enter', '~': 'change', '−': 'leave' } as const;

/**
 * The changes of the set, from its history. Nothing reads the queue, because that would take its messages. A line parts
 * the changes that were sent from those that wait.
 */
export function Timeline({ spec, namespace, position, behind, ...beginning }: TimelineProps) {
  const kind = findKind(resourceId(spec));
  const { namespace: inside, selector, fields } = exploreRoute(spec, namespace);
  const query = {
    fieldSelector: [`resource=${resourceId(spec)}`, fields].filter((text) => text !== '').join(','),
    labelSelector: selector,
    limit: String(MOST),
  };
  const root = '/apis/winnow.dev/v1';
  const path =
    inside === '' ? `${root}/histories` : `${root}/namespaces/${encodeURIComponent(inside)}/histories`;
  const key = JSON.stringify([path, query, route.value.as, route.value.groups]);
  const pace = { seconds: EVERY, change: `${position} ${behind}` };
  const { answer, error, again } = usePolled(key, pace, (signal) => readPages(path, query, signal));
  const all = answer?.items ?? [];
  const items = changesSince(all, beginning);
  const { waiting, told } = divideAt(items, position);
  const open = ({ metadata }: Transition) => {
    if (kind === undefined) return;
    navigate({
      open: openText({ kind: kind.id, namespace: metadata.namespace ?? '', name: metadata.name }),
      tab: 'history',
    });
  };
  return (
    <>
      <div class="detail-title">
        <h3>Changes of the set</h3>
        <span class="meta">
          {spec.namespaceSelector ? 'of all namespaces, also of those that it does not select' : ''}
        </span>
      </div>
      {error !== undefined && <ErrorPanel error={error} retry={again} />}
      {answer === undefined && error === undefined && <Waiting what="Reading the history" />}
      {answer !== undefined && items.length === 0 && (
        <Empty title="No object entered, changed or left this set lately.">
          <p class="meta">
            The history reaches back a day. Label an object so that it matches, and it appears here.
          </p>
        </Empty>
      )}
      {items.length > 0 && (
        <ol class="transitions">
          {waiting.map((one) => (
            <Change key={keyOf(one)} change={one} open={open} />
          ))}
          {position !== undefined && position !== '0' && (
            <li class="told-line">
              <span>
                {waiting.length === 0 ? 'All' : `${waiting.length} waiting above · all`} sent up to
                resourceVersion {position}
              </span>
            </li>
          )}
          {told.map((one) => (
            <Change key={keyOf(one)} change={one} open={open} />
          ))}
        </ol>
      )}
      {items.length < all.length ? (
        <p class="meta">The Subscription begins here: earlier changes are in its snapshot, if it has one.</p>
      ) : (
        all.length === MOST && <p class="meta">The newest {MOST} changes.</p>
      )}
    </>
  );
}

function Change({
  change,
  open,
}: {
  readonly change: Transition;
  readonly open: (change: Transition) => void;
}) {
  const { type, metadata, time, user, manager, patch, resourceVersion } = change;
  const sign = SIGNS[type] ?? '~';
  const from = [user, manager && `(${manager})`].filter(Boolean).join(' ');
  return (
    <li>
      <span class={`transition-sign ${TONES[sign]}`} aria-hidden="true">
        {sign}
      </span>
      <span class={`word ${TONES[sign]}`}>{type.toLowerCase()}</span>
      <button type="button" class="row-name" onClick={() => open(change)}>
        {metadata.name}
      </button>
      <span class="mono clip" title={changeText(patch)}>
        {changeText(patch)}
      </span>
      <span class="meta clip" title={`resourceVersion ${resourceVersion}`}>
        {from || 'Winnow'}
      </span>
      <span class="meta number">
        <Age since={time} />
      </span>
    </li>
  );
}

function keyOf({ resourceVersion, metadata }: Transition): string {
  return `${resourceVersion} ${metadata.namespace} ${metadata.name}`;
}

/** Reads pages until there are enough changes. A page may be empty although older ones are not. */
async function readPages(
  path: string,
  query: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Pick<Histories, 'items'>> {
  const items: Transition[] = [];
  let next: string | undefined = '';
  for (let page = 0; page < PAGES && next !== undefined && items.length < MOST; page += 1) {
    const answer: Histories = await ask<Histories>(path, { query: { ...query, continue: next }, signal });
    items.push(...answer.items);
    next = answer.metadata.continue;
  }
  return { items: items.slice(0, MOST) };
}
