import type { ComponentChildren } from 'preact';
import {
  type KubeObject,
  maySelect,
  type OwnSelection,
  ownSelection,
  SelectorText,
} from '../what-if/index.ts';
import { ErrorPanel, type UseAsked, useAsked, Waiting } from '../widgets/index.ts';
import { ObjectLink } from './object-link.tsx';
import type { Place } from './object-requests.ts';
import { type Column, readSelected, readSelectedBy, selectedByKey } from './selections.ts';

interface SelectionsProps {
  readonly place: Place;
  readonly object: KubeObject;
}

/** Three columns: the objects whose selectors match the object, the object, and the objects that it selects. */
export function Selections({ place, object }: SelectionsProps) {
  const key = selectedByKey(place.kind, object.metadata);
  const own = selectionOf(place, object);
  // While the object changes, the columns stay until the next ones are there.
  const selectedBy = kept(useAsked(key, (signal) => readSelectedBy(place, signal)));
  const selected = kept(
    useAsked(`selected ${key}`, async (signal) =>
      maySelect(place.kind, object) ? await readSelected(place, own?.target, signal) : null,
    ),
  );
  return (
    <section class="selections" onKeyDown={moveFocus}>
      <ColumnPanel
        title="Selected by"
        asked={selectedBy}
        none="No selector matches it: no Service, controller, policy, budget, Subscription or Tally."
      />
      <div class="selections-self">
        <span class="meta">{place.kind.kind}</span>
        <b class="mono" title={place.name}>
          {place.name}
        </b>
        {own?.selector !== undefined && (
          <>
            <span class="meta">{own.path}</span>
            <SelectorText text={[own.selector, own.fields].filter(Boolean).join(' and ') || 'every object'} />
          </>
        )}
      </div>
      <ColumnPanel
        title="Selects"
        asked={selected}
        none={selected.answer === null ? 'It has no selector.' : 'Its selector matches nothing now.'}
      />
    </section>
  );
}

interface ColumnPanelProps {
  readonly title: string;
  readonly asked: {
    readonly answer?: Column | null | undefined;
    readonly error?: Error | undefined;
    readonly again: () => void;
  };
  readonly none: ComponentChildren;
}

function ColumnPanel({ title, asked: { answer, error, again }, none }: ColumnPanelProps) {
  const { nodes = [], count } = answer ?? {};
  const isCounted = answer !== undefined && answer !== null && count !== undefined;
  return (
    <div class="selections-column">
      <h3>
        {title}
        {isCounted && <span class="meta"> {count.toLocaleString('en')}</span>}
      </h3>
      {error !== undefined ? (
        <ErrorPanel error={error} retry={again} />
      ) : answer === undefined ? (
        <Waiting />
      ) : nodes.length === 0 ? (
        <p class="meta">{none}</p>
      ) : (
        <ul class="nodes">
          {nodes.map(({ kind, kindId, namespace, name, note }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an object may stand here with several selectors
            <li key={at} title={note}>
              <span class="node-name">
                {kind !== '' && <span class="meta">{kind}</span>}
                <ObjectLink kindId={kindId} namespace={namespace} name={name} />
              </span>
              <span class="meta mono">{note}</span>
            </li>
          ))}
          {count !== nodes.length && (
            <li class="meta">
              {count === undefined ? 'and more' : `and ${(count - nodes.length).toLocaleString('en')} more`}
            </li>
          )}
        </ul>
      )}
    </div>
  );
}

/** What the object selects by its kind. Undefined for another kind, and for a selector that cannot be read. */
function selectionOf({ kind }: Place, object: KubeObject): OwnSelection | undefined {
  try {
    return ownSelection(kind.id, object);
  } catch {
    return undefined;
  }
}

/** The arrow keys move between the links of a column. */
function moveFocus(event: KeyboardEvent): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const link = event.target as HTMLElement;
  const links = [...(link.closest('ul')?.querySelectorAll('a') ?? [])];
  const at = links.indexOf(link as HTMLAnchorElement);
  const next = by === 0 || at === -1 ? undefined : links[at + by];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

function kept<Answer>(asked: UseAsked<Answer>): UseAsked<Answer> {
  return { ...asked, answer: asked.latest };
}
