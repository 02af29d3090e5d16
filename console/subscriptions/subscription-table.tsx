import { useRef } from 'preact/hooks';
import { asking, findKind, objectPath } from '../api/index.ts';
import { route } from '../route/index.ts';
import { moveFocus, Shown } from '../set-objects/index.ts';
import { conditionOf, namespacesText, resourceId, selectorText } from '../sets/index.ts';
import { lagText, phaseWords, timeOf } from './phase-words.ts';
import type { Subscription, WholeSubscription } from './subscription.ts';
import { usePolled } from './use-polled.ts';

interface TableProps {
  readonly objects: readonly Subscription[];
  readonly chosen: string;
  readonly choose: (key: string) => void;
}

/** The number of Subscriptions whose lag the table asks for, and the pause between two rounds in s. */
const MOST_LAGS = 20;
const LAG_EVERY = 10;
const AT_ONCE = 4;

/** The Subscriptions as rows. The arrow keys choose another one. */
export function SubscriptionTable({ objects, chosen, choose }: TableProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  const lags = useLags(objects);
  return (
    <div class="master">
      <Shown items={objects} what="Subscriptions">
        {(shown) => (
          <table class="plain rows">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Set</th>
                <th scope="col">Phase</th>
                <th scope="col">Lag</th>
                <th
                  scope="col"
                  class="number"
                  title="Messages that wait in the queue, at the last count of SQS"
                >
                  In queue
                </th>
              </tr>
            </thead>
            <tbody ref={body} onKeyDown={(event) => moveFocus(event, body.current)?.click()}>
              {shown.map((one) => (
                <SubscriptionRow
                  key={one.metadata.uid}
                  one={one}
                  whole={lags.get(one.metadata.uid)}
                  isChosen={keyOf(one) === chosen}
                  choose={choose}
                />
              ))}
            </tbody>
          </table>
        )}
      </Shown>
      {objects.length > MOST_LAGS && (
        <p class="meta panel">
          The lag is shown for the first {MOST_LAGS} Subscriptions, and for the chosen one.
        </p>
      )}
    </div>
  );
}

interface RowProps {
  readonly one: Subscription;
  readonly whole: WholeSubscription | undefined;
  readonly isChosen: boolean;
  readonly choose: (key: string) => void;
}

function SubscriptionRow({ one, whole, isChosen, choose }: RowProps) {
  const { metadata, spec, status } = one;
  const { namespace = '', name } = metadata;
  const { tone } = phaseWords(status, spec.suspend === true);
  const selector = selectorText(spec);
  const messages = whole?.status?.messages;
  return (
    <tr class={isChosen ? 'chosen' : ''} onClick={() => choose(keyOf(one))}>
      <th scope="row">
        <button
          type="button"
          class="row-name"
          aria-current={isChosen ? 'true' : undefined}
          tabIndex={isChosen ? 0 : -1}
        >
          {name}
        </button>
        <span class="meta">{namespace}</span>
      </th>
      <td class="wide">
        <span class="mono clip" title={selector}>
          {selector || 'every object'}
        </span>
        <span class="meta">
          {resourceId(spec)} {namespacesText(spec, namespace)}
        </span>
      </td>
      <td>
        <span class={`phase ${tone}`}>{status?.phase ?? 'Pending'}</span>
        <span class="meta">
          {conditionOf(status, 'Authorized')?.status === 'False' ? 'not authorized' : ''}
        </span>
      </td>
      <td class="nowrap">{whole === undefined ? '' : lagText(whole.status?.lag)}</td>
      <td class="number">
        {messages?.waiting}
        <span class="meta">{messages && `at ${timeOf(messages.asOf)}`}</span>
      </td>
    </tr>
  );
}

/** The key of a Subscription in the address: `default/frontends`. */
export function keyOf({ metadata: { namespace = '', name } }: Subscription): string {
  return `${namespace}/${name}`;
}

/** The first Subscriptions with their lag, by uid. Lists do not have it. */
function useLags(objects: readonly Subscription[]): ReadonlyMap<string, WholeSubscription> {
  const kind = findKind('subscriptions.winnow.dev');
  const answered = useRef<ReadonlyMap<string, WholeSubscription>>(new Map());
  const asked = objects.slice(0, MOST_LAGS);
  const phases = asked.map(({ metadata, status }) => `${metadata.uid}${status?.phase}`).join();
  const { answer } = usePolled(`${phases} ${route.value.as}`, { seconds: LAG_EVERY }, async (signal) => {
    const found = new Map<string, WholeSubscription>();
    const left = asked.values();
    const work = async () => {
      for (const { metadata } of left) {
        if (kind === undefined) return;
        const one = await asking<WholeSubscription>(objectPath(kind, metadata), { signal });
        const whole = 'answer' in one ? one.answer : answered.current.get(metadata.uid);
        if (whole !== undefined) found.set(metadata.uid, whole);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    answered.current = found;
    return found;
  });
  return answer ?? answered.current;
}
