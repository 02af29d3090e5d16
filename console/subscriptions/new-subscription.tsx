import { useState } from 'preact/hooks';
import type { KindInfo } from '../api/index.ts';
import { route } from '../route/index.ts';
import {
  DraftDialog,
  DraftFields,
  emptySet,
  Field,
  isSendable,
  MatchCount,
  type SetDraft,
  specOf,
} from '../set-objects/index.ts';

interface NewProps {
  readonly kind: KindInfo;
  readonly created: (metadata: { readonly namespace: string; readonly name: string }) => void;
  readonly close: () => void;
}

interface Draft extends SetDraft {
  readonly start: string;
  readonly queue: string;
  readonly arn: string;
}

/** The form of a new Subscription, with the objects that it would select now. */
export function NewSubscription({ kind, created, close }: NewProps) {
  const [draft, setDraft] = useState<Draft>({
    ...emptySet(route.value.namespace),
    start: 'now',
    queue: 'FIFO',
    arn: '',
  });
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const { name, namespace, start, queue, arn } = draft;
  const spec = {
    ...specOf(draft),
    start,
    queue: queue === 'own' ? { arn } : { type: queue },
  };
  return (
    <DraftDialog
      kind={kind}
      draft={{ metadata: { name, namespace }, spec }}
      isReady={isSendable(draft) && (queue !== 'own' || arn !== '')}
      preview={<MatchCount draft={draft} />}
      created={created}
      close={close}
    >
      <DraftFields draft={draft} change={change}>
        <div class="field-pair">
          <Field label="Start">
            {(parts) => (
              <select
                {...parts}
                value={start}
                onChange={(event) => change({ start: event.currentTarget.value })}
              >
                <option value="now">with the next change</option>
                <option value="snapshot">with all objects that match now</option>
              </select>
            )}
          </Field>
          <Field label="Queue">
            {(parts) => (
              <select
                {...parts}
                value={queue}
                onChange={(event) => change({ queue: event.currentTarget.value })}
              >
                <option value="FIFO">FIFO: in order</option>
                <option value="Standard">Standard: many consumers</option>
                <option value="own">a queue of your own</option>
              </select>
            )}
          </Field>
        </div>
        {queue === 'own' && (
          <Field
            label="ARN of the queue"
            hint="Tag the queue winnow:deliver with the ClusterId of the deployment."
          >
            {(parts) => (
              <input
                {...parts}
                class="mono"
                spellcheck={false}
                placeholder="arn:aws:sqs:eu-central-1:111122223333:mine.fifo"
                value={arn}
                onInput={(event) => change({ arn: event.currentTarget.value })}
              />
            )}
          </Field>
        )}
      </DraftFields>
    </DraftDialog>
  );
}
