import { useEffect, useState } from 'preact/hooks';
import { valueText } from '../selector/index.ts';
import {
  type ChangeLine,
  changed,
  changeOf,
  EMPTY_LINE,
  type KubeObject,
  LabelForm,
  offerUndo,
  troubleOf,
  WhatIf,
  whyNoWrites,
  writeLabels,
} from '../what-if/index.ts';
import { Labels } from '../widgets/index.ts';
import type { Place } from './object-requests.ts';

interface LabelsPanelProps {
  readonly place: Place;
  readonly object: KubeObject;
  readonly changed: () => void;
}

/** The labels of the object, and their edit. */
export function LabelsPanel({ place, object, changed: tellChanged }: LabelsPanelProps) {
  const { labels = {}, uid } = object.metadata;
  const [lines, setLines] = useState<readonly ChangeLine[]>();
  const [trouble, setTrouble] = useState('');
  const [isWriting, setWriting] = useState(false);
  const why = whyNoWrites();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another object has other labels
  useEffect(() => setLines(undefined), [uid]);
  const change = lines && changeOf(lines);
  const begin = (line: ChangeLine) => {
    setTrouble('');
    setLines([...(lines ?? []).filter(({ key }) => key !== '' && key !== line.key), line]);
  };
  const save = async () => {
    if (change === undefined) return;
    const { name, namespace = '', resourceVersion } = object.metadata;
    const write = { name, namespace, uid, resourceVersion, before: labels, after: changed(labels, change) };
    setWriting(true);
    const outcome = await writeLabels(place.kind, write);
    setWriting(false);
    tellChanged();
    if (outcome.what === 'written') {
      setLines(undefined);
      offerUndo(place.kind, [{ write, outcome }], `Relabelled ${name}`);
    } else {
      setTrouble(`Not saved: ${troubleOf({ write, outcome })}. Your lines are still here.`);
    }
  };
  return (
    <section>
      <h3>
        Labels
        {lines === undefined && (
          <button
            type="button"
            class="link"
            disabled={why !== ''}
            title={why}
            onClick={() => begin(EMPTY_LINE)}
          >
            Edit
          </button>
        )}
      </h3>
      {Object.keys(labels).length === 0 && lines === undefined && (
        <p class="meta">No labels. Selectors find objects by their labels.</p>
      )}
      {lines === undefined ? (
        <Labels labels={labels} />
      ) : (
        <span class="labels">
          {Object.entries(labels).map(([key, value]) => (
            <button
              key={key}
              type="button"
              class="chip"
              title={`Edit ${key}`}
              onClick={() => begin({ action: 'set', key, value })}
            >
              <span class="chip-key">{key} </span>
              {valueText(value)}
            </button>
          ))}
        </span>
      )}
      {lines !== undefined && (
        <form
          class="edit-labels"
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || isWriting) return;
            event.preventDefault();
            setLines(undefined);
          }}
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <LabelForm
            lines={lines}
            change={setLines}
            known={new Map(Object.entries(labels).map(([key, value]) => [key, new Set([value])]))}
            disabled={isWriting}
          />
          {change !== undefined && (
            <WhatIf
              kind={place.kind}
              before={object}
              after={{ ...object, metadata: { ...object.metadata, labels: changed(labels, change) } }}
            />
          )}
          {trouble !== '' && (
            <p class="remark leave-edge" role="alert">
              {trouble}
            </p>
          )}
          <p class="buttons">
            <button
              type="submit"
              class="primary"
              disabled={change === undefined || isWriting || why !== ''}
              title={why}
            >
              Save labels
            </button>
            <button type="button" disabled={isWriting} onClick={() => setLines(undefined)}>
              Cancel
            </button>
          </p>
        </form>
      )}
    </section>
  );
}
