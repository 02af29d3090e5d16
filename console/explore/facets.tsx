import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { parseSelector, type Requirement } from '../../lib/selectors/index.ts';
import { ask, type KindInfo, pathOf, sentence } from '../api/index.ts';
import { navigate, route } from '../route/index.ts';
import { valueText, withoutKey, withRequirement } from '../selector/index.ts';
import { useAsked, useComputedOf } from '../widgets/index.ts';
import { byUse, countLabels, type KeyCount } from './count.ts';
import type { LiveTable } from './live-table.ts';
import type { Narrowed } from './narrowing.ts';
import { Picker } from './picker.tsx';
import { type FacetAnswer, facets } from './vocabulary.ts';

interface FacetsProps {
  readonly kind: KindInfo;
  readonly live: LiveTable;
  readonly shown: Narrowed;
}

/** The most keys that the page chooses itself, and the most values of a key at first. */
const MOST_KEYS = 8;
const MOST_VALUES = 8;

/** The labels of the set, with the number of objects that have each value. A click narrows the set. */
export function Facets({ kind, live, shown }: FacetsProps) {
  const { rows, selector } = shown;
  const counted = useComputedOf([rows], () => countLabels(rows.value));
  const places = useRef<string[]>([]);
  const isWhole = live.complete.value;
  const { answer, error } = useServerCounts(kind, live, isWhole);
  // While another set is read, the last counts stay, and with them the focus.
  const last = useRef<Pick<FacetListProps, 'counts' | 'total'>>({ counts: [], total: 0 });
  if (isWhole) {
    last.current = { counts: counted.value, total: rows.value.length };
  } else if (answer !== undefined) {
    last.current = { counts: answer.facets, total: answer.count };
  }
  if (!isWhole && error !== undefined) {
    return (
      <aside class="facets" aria-label="Labels">
        <h2 class="visually-hidden">Labels</h2>
        {/* The place of the rows has the error of the set. */}
        {live.error.value === undefined && <p class="meta facet-note">{sentence(error)}</p>}
      </aside>
    );
  }
  return (
    <FacetList
      {...last.current}
      kind={kind}
      selector={isWhole ? selector.value : route.value.selector}
      places={places.current}
    />
  );
}

/** Of a set that is not all here, the server counts the labels. */
function useServerCounts(kind: KindInfo, live: LiveTable, isWhole: boolean) {
  const { namespace, selector, fields, as, groups } = route.value;
  const isListed = live.state.value !== 'starting';
  const key = isWhole ? '' : JSON.stringify([kind.id, namespace, selector, fields, as, groups, isListed]);
  return useAsked(key, async (signal) => {
    if (isWhole) return undefined;
    // The first page of rows comes first; and most sets are complete soon after it.
    if (!isListed) await new Promise((resolve) => setTimeout(resolve, 1_500));
    signal.throwIfAborted();
    const query = { facets: '*', labelSelector: selector, fieldSelector: fields };
    return ask<{ readonly count: number; readonly facets: readonly KeyCount[] }>(pathOf(kind, namespace), {
      query,
      signal,
    });
  });
}

interface FacetListProps {
  readonly kind: KindInfo;
  readonly counts: readonly KeyCount[];
  /** The number of objects. */
  readonly total: number;
  /** The selector of the objects. */
  readonly selector: string;
  /** The keys that the list has shown, in their places. It grows. */
  readonly places: string[];
}

function FacetList({ kind, counts, total, selector, places }: FacetListProps) {
  const { keys, pivot } = route.value;
  const requirements = parsed(selector);
  const asked = new Set([...requirements.map(({ key }) => key), ...keys]);
  // A key stays in its place, so that the pointer stays on its values while objects and the selector change.
  const isShown = ({ key }: KeyCount) => asked.has(key) || places.includes(key);
  const useful = byUse(counts);
  const more = MOST_KEYS - useful.filter(({ key }) => places.includes(key) && !asked.has(key)).length;
  const chosen = useful.filter((one) => !isShown(one)).slice(0, Math.max(0, more));
  const shown = useful.filter((one) => isShown(one) || chosen.includes(one));
  const hidden = useful.filter((one) => !shown.includes(one));
  const placeOf = ({ key }: KeyCount) => {
    if (!places.includes(key)) places.push(key);
    return places.indexOf(key);
  };
  const placed = shown.map((one) => [placeOf(one), one] as const).sort(([one], [other]) => one - other);
  return (
    <aside class="facets" aria-label="Labels">
      <h2 class="visually-hidden">Labels</h2>
      {counts.length === 0 && total > 0 && <p class="meta facet-note">No object of this set has a label.</p>}
      {placed.map(([, one]) => (
        <Facet
          key={one.key}
          kind={kind}
          counts={one}
          requirements={requirements.filter(({ key }) => key === one.key)}
          axis={pivot.indexOf(one.key)}
          selector={selector}
          isAdded={keys.includes(one.key)}
          hide={() => {
            places.splice(places.indexOf(one.key), 1);
            navigate({ keys: keys.filter((key) => key !== one.key) });
          }}
        />
      ))}
      {hidden.length > 0 && (
        <Picker
          name="More keys"
          value=""
          label="+ key"
          choices={hidden.map(({ key, distinct }) => ({
            value: key,
            text: key,
            note: `${distinct} value${distinct === 1 ? '' : 's'}`,
          }))}
          choose={(key) => navigate({ keys: [...keys, key] })}
        />
      )}
    </aside>
  );
}

interface FacetProps {
  readonly kind: KindInfo;
  readonly counts: KeyCount;
  readonly requirements: readonly Requirement[];
  /** The place of the key in the pivot; -1 if it has none. */
  readonly axis: number;
  readonly isAdded: boolean;
  readonly hide: () => void;
  readonly selector: string;
}

function Facet({ kind, counts, requirements, axis, isAdded, hide, selector }: FacetProps) {
  const { key } = counts;
  const { values, absent, distinct } = useAllValues(kind, counts, requirements.length > 0);
  const all = useSignal(false);
  const most = Math.max(1, ...values.map(({ count }) => count), absent);
  const wanted = requirements.flatMap(({ operator, values: listed }) =>
    ['=', '==', 'in'].includes(operator) ? listed : [],
  );
  const unwanted = requirements.flatMap(({ operator, values: listed }) =>
    ['!=', 'notin'].includes(operator) ? listed : [],
  );
  const choose = (value: string | null, isWanted: boolean) =>
    navigate({ selector: withRequirement(selector, { key, value, wanted: isWanted }) });
  const shown = all.value ? values : values.slice(0, MOST_VALUES);
  const { pivot, columns } = route.value;
  const toggleAxis = () => {
    const next = axis === -1 ? [...pivot, key].slice(-2) : pivot.filter((one) => one !== key);
    navigate({ pivot: next, mode: next.length > 0 ? 'pivot' : 'table' });
  };
  return (
    <section>
      <div class="facet-head">
        <h3 title={key}>{key}</h3>
        <span>
          {isAdded && (
            <button type="button" class="icon" aria-label={`Hide ${key}`} onClick={hide}>
              ✕
            </button>
          )}
          <button
            type="button"
            class="icon"
            aria-pressed={columns.includes(key)}
            aria-label={`Column for ${key}`}
            title="Show this key as a column, to sort by it"
            onClick={() => navigate({ columns: toggled(columns, key) })}
          >
            {columns.includes(key) ? '▣' : '▥'}
          </button>
          <button
            type="button"
            class="icon"
            aria-pressed={axis !== -1}
            aria-label={`Pivot by ${key}`}
            title="Use this key in the pivot"
            onClick={toggleAxis}
          >
            {axis === -1 ? '⊞' : axis === 0 ? '↓' : '→'}
          </button>
        </span>
      </div>
      {shown.map(({ value, count }) => (
        <FacetValue
          key={value}
          text={valueText(value)}
          count={count}
          share={count / most}
          state={wanted.includes(value) ? 'wanted' : unwanted.includes(value) ? 'unwanted' : ''}
          choose={(isWanted) => choose(value, isWanted)}
        />
      ))}
      {absent > 0 && (
        <FacetValue
          text={valueText(null)}
          count={absent}
          share={absent / most}
          state={requirements.some(({ operator }) => operator === '!') ? 'wanted' : ''}
          choose={(isWanted) => choose(null, isWanted)}
        />
      )}
      {(values.length > MOST_VALUES || distinct > values.length) && (
        <button type="button" class="link meta" onClick={() => (all.value = !all.value)}>
          {all.value ? 'show fewer' : `${distinct - shown.length} more`}
        </button>
      )}
    </section>
  );
}

/** The values of a key. Where the selector names the key, also those that it excludes, so that the user can go back. */
function useAllValues(kind: KindInfo, counts: KeyCount, isNamed: boolean): Omit<KeyCount, 'key'> {
  const { key } = counts;
  const { namespace, selector, fields, as, groups } = route.value;
  const others = withoutKey(selector, key);
  const before = useRef<FacetAnswer['facets'][number]>(counts);
  if (!isNamed) before.current = counts;
  const question = isNamed ? JSON.stringify([key, others, namespace, fields, as, groups]) : '';
  const { answer } = useAsked(question, async () =>
    isNamed ? await facets(kind, namespace, key, others, fields) : undefined,
  );
  if (!isNamed) return counts;
  const all = answer?.facets[0] ?? before.current;
  const now = new Map(counts.values.map((one) => [one.value, one]));
  const listed = new Set(all.values.map(({ value }) => value));
  const values = [
    ...all.values.map((one) => now.get(one.value) ?? one),
    ...counts.values.filter(({ value }) => !listed.has(value)),
  ];
  return {
    values,
    absent: Math.max(all.absent, counts.absent),
    distinct: Math.max(values.length, counts.distinct),
  };
}

interface FacetValueProps {
  readonly text: string;
  readonly count: number;
  /** From 0 to 1. */
  readonly share: number;
  readonly state: 'wanted' | 'unwanted' | '';
  readonly choose: (isWanted: boolean) => void;
}

function FacetValue({ text, count, share, state, choose }: FacetValueProps) {
  return (
    <div class={`facet-value ${state}`}>
      <button
        type="button"
        class="plain"
        title={text}
        aria-pressed={state === 'wanted'}
        onClick={() => choose(true)}
      >
        {text}
      </button>
      <span class="facet-bar" aria-hidden="true" style={{ width: `${Math.max(2, share * 64)}px` }} />
      <span class="facet-count">{count.toLocaleString('en')}</span>
      <button
        type="button"
        class="icon exclude"
        aria-label={state === 'unwanted' ? `Do not exclude ${text}` : `Exclude ${text}`}
        onClick={() => choose(false)}
      >
        −
      </button>
    </div>
  );
}

function toggled(keys: readonly string[], key: string): readonly string[] {
  return keys.includes(key) ? keys.filter((one) => one !== key) : [...keys, key];
}

function parsed(selector: string): readonly Requirement[] {
  try {
    return parseSelector(selector).requirements;
  } catch {
    return [];
  }
}
