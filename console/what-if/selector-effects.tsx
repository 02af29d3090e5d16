import { findKind } from '../api/index.ts';
import { ErrorPanel, useAsked, Waiting } from '../widgets/index.ts';
import { compareSets, MOST_COMPARED } from './compare-sets.ts';
import { counted } from './outcomes.ts';
import type { OwnSelection } from './own-selections.ts';
import { SelectorText } from './selector-text.tsx';
import type { Named } from './set-difference.ts';

/** The most names of each list. */
const MOST_NAMES = 50;

interface SelectorEffectsProps {
  readonly before: OwnSelection;
  readonly after: OwnSelection;
}

/** Which objects an edited selector begins and stops to select. */
export function SelectorEffects({ before, after }: SelectorEffectsProps) {
  const target = findKind(after.target);
  const { answer, error, again } = useAsked(JSON.stringify([before, after]), async (signal) =>
    target === undefined ? undefined : await compareSets(target, { before, after }, signal),
  );
  if (target === undefined) {
    return <p class="meta">Winnow serves no kind "{after.target}", so the selector selects nothing.</p>;
  }
  if (error !== undefined) return <ErrorPanel error={error} retry={again} />;
  if (answer === undefined) return <Waiting what="Comparing the two sets" />;
  const { enters, leaves, stays, resourceVersion, isCut } = answer;
  const isNamespaced = after.namespace === '' && target.namespaced;
  return (
    <div class="selector-effects">
      <p>
        <SelectorText text={textOf(before)} /> <span aria-hidden="true">→</span>
        <span class="visually-hidden"> becomes </span> <SelectorText text={textOf(after)} />
      </p>
      <p>
        <b class={enters.length > 0 ? 'enter' : ''}>{verb(enters.length, 'enter')}</b>,{' '}
        <b class={leaves.length > 0 ? 'leave' : ''}>{verb(leaves.length, 'leave')}</b>, {verb(stays, 'stay')}
        <span class="meta">
          {' '}
          of the {target.plural} at version {Number(resourceVersion).toLocaleString('en')}
        </span>
      </p>
      {isCut && (
        <p class="meta">Compared: the first {counted(MOST_COMPARED, 'object')} of each set, by name.</p>
      )}
      <Names how="enter" objects={enters} withNamespace={isNamespaced} />
      <Names how="leave" objects={leaves} withNamespace={isNamespaced} />
    </div>
  );
}

interface NamesProps {
  readonly how: 'enter' | 'leave';
  readonly objects: readonly Named[];
  readonly withNamespace: boolean;
}

function Names({ how, objects, withNamespace }: NamesProps) {
  if (objects.length === 0) return null;
  const more = objects.length - MOST_NAMES;
  return (
    <details open={objects.length <= 10}>
      <summary class={how}>{how === 'enter' ? '+ enters' : '− leaves'}</summary>
      <ul class={`selector-names ${how}-edge`}>
        {objects.slice(0, MOST_NAMES).map(({ metadata }) => (
          <li key={metadata.uid} class="mono">
            {withNamespace ? `${metadata.namespace}/${metadata.name}` : metadata.name}
          </li>
        ))}
        {more > 0 && <li class="meta">and {more.toLocaleString('en')} more</li>}
      </ul>
    </details>
  );
}

/** A number with its verb: `1 enters`, `2 enter`. */
function verb(count: number, word: string): string {
  return `${count.toLocaleString('en')} ${word}${count === 1 ? 's' : ''}`;
}

function textOf({ selector, fields }: OwnSelection): string {
  if (selector === undefined) return 'nothing';
  return [selector || (fields === '' ? 'every object' : ''), fields].filter(Boolean).join(' and ');
}
