import { useState } from 'preact/hooks';
import { type KindInfo, sentence } from '../api/index.ts';
import { route } from '../route/index.ts';
import { valueText } from '../selector/index.ts';
import {
  DraftDialog,
  DraftFields,
  emptySet,
  Field,
  isSendable,
  MatchCount,
  type SetDraft,
  specOf,
  useFacets,
} from '../set-objects/index.ts';

interface NewProps {
  readonly kind: KindInfo;
  readonly close: () => void;
}

interface Draft extends SetDraft {
  readonly keys: string;
  readonly min: string;
  readonly max: string;
}

/** The most keys of `groupBy`. */
const MOST_KEYS = 4;
/** The values of each key in the preview. */
const MOST_VALUES = 6;

/** The form of a new Tally, with the counts that it would have now. */
export function NewTally({ kind, close }: NewProps) {
  const [draft, setDraft] = useState<Draft>({
    ...emptySet(route.value.namespace),
    keys: '',
    min: '',
    max: '',
  });
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const { name, namespace, keys, min, max } = draft;
  const groupBy = [...new Set(keys.split(/[\s,]+/).filter((key) => key !== ''))];
  const bounds = { min: min === '' ? undefined : Number(min), max: max === '' ? undefined : Number(max) };
  const isEmpty = (bounds.min ?? 0) > (bounds.max ?? Number.POSITIVE_INFINITY);
  const spec = {
    ...specOf(draft),
    groupBy: groupBy.length === 0 ? undefined : groupBy,
    bounds: min === '' && max === '' ? undefined : bounds,
  };
  return (
    <DraftDialog
      kind={kind}
      draft={{ metadata: { name, namespace }, spec }}
      isReady={isSendable(draft) && groupBy.length <= MOST_KEYS && !isEmpty}
      preview={
        <>
          <MatchCount draft={draft} />
          {groupBy.length > 0 && groupBy.length <= MOST_KEYS && <Values draft={draft} keys={groupBy} />}
        </>
      }
      created={() => {}}
      close={close}
    >
      <DraftFields draft={draft} change={change}>
        <Field
          label="Count by the labels"
          hint="Up to 4 keys, with commas between them"
          error={groupBy.length > MOST_KEYS ? 'A Tally counts by at most 4 labels' : undefined}
        >
          {(parts) => (
            <input
              {...parts}
              class="mono"
              spellcheck={false}
              placeholder="environment,tier"
              value={keys}
              onInput={(event) => change({ keys: event.currentTarget.value })}
            />
          )}
        </Field>
        <div class="field-pair">
          <Field label="At least" hint="Empty for no bound">
            {(parts) => (
              <input
                {...parts}
                type="number"
                min="0"
                value={min}
                onInput={(event) => change({ min: event.currentTarget.value })}
              />
            )}
          </Field>
          <Field label="At most" error={isEmpty ? 'Less than “At least”' : undefined}>
            {(parts) => (
              <input
                {...parts}
                type="number"
                min="0"
                value={max}
                onInput={(event) => change({ max: event.currentTarget.value })}
              />
            )}
          </Field>
        </div>
      </DraftFields>
    </DraftDialog>
  );
}

/** How many objects of the drafted set have each value of the labels. */
function Values({ draft, keys }: { readonly draft: SetDraft; readonly keys: readonly string[] }) {
  const { answer, error } = useFacets(draft, keys);
  if (error !== undefined) return <p class="field-error">{sentence(error)}</p>;
  return (
    <>
      {(answer?.facets ?? []).map(({ key, values, absent }) => {
        const all = [...values, ...(absent > 0 ? [{ value: null, count: absent }] : [])];
        const left = all.length - MOST_VALUES;
        return (
          <p key={key} class="meta">
            <b>{key}</b>{' '}
            {all
              .slice(0, MOST_VALUES)
              .map(({ value, count }) => `${valueText(value)} ${count}`)
              .join(' · ')}
            {left > 0 && ` · and ${left} more`}
          </p>
        );
      })}
    </>
  );
}
