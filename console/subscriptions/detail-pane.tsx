import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ask, type KindInfo, objectPath } from '../api/index.ts';
import { navigate, openText, route, routeUrl } from '../route/index.ts';
import { RemoveDialog } from '../set-objects/index.ts';
import { exploreRoute, setSentence } from '../sets/index.ts';
import { whyNoWrites } from '../what-if/index.ts';
import { copyText, ErrorPanel, toast } from '../widgets/index.ts';
import { Consume } from './consume.tsx';
import { lagText, phaseWords, timeOf } from './phase-words.ts';
import type { Subscription, WholeSubscription } from './subscription.ts';
import { Timeline } from './timeline-list.tsx';
import { usePolled } from './use-polled.ts';

interface DetailProps {
  readonly kind: KindInfo;
  /** The Subscription as the list has it. */
  readonly listed: Subscription;
}

/** The pause between two questions for the position, in s. */
const EVERY = 2;

/** What one Subscription delivers, how far it is, and how to read its queue. */
export function DetailPane({ kind, listed }: DetailProps) {
  const { metadata } = listed;
  const { namespace = '', name, resourceVersion } = metadata;
  const path = objectPath(kind, metadata);
  const { answer, error, again } = usePolled(
    `${path} ${resourceVersion} ${JSON.stringify([route.value.as, route.value.groups])}`,
    { seconds: EVERY },
    (signal) => ask<WholeSubscription>(path, { signal }),
  );
  const { spec, status }: Pick<Subscription, 'spec' | 'status'> = answer ?? listed;
  const words = phaseWords(status, spec.suspend === true);
  const target = { ...exploreRoute(spec, namespace), as: route.value.as, groups: route.value.groups };
  return (
    <section class="detail" aria-label={`Subscription ${name}`}>
      <header class="detail-head">
        <h2 class="mono">{name}</h2>
        <span class="meta">{namespace}</span>
        <Actions kind={kind} listed={listed} />
      </header>
      {error !== undefined && <ErrorPanel error={error} retry={again} />}
      <div class={`callout ${words.tone}`}>
        <p>
          <b>{status?.phase ?? 'Pending'}.</b> {words.meaning}
        </p>
        {words.advice !== '' && <p class="meta">{words.advice}</p>}
        {(status?.conditions ?? [])
          .filter(
            ({ status: value, reason }) =>
              value === 'False' && reason !== 'WrittenByUser' && reason !== status?.phase,
          )
          .map((one) => (
            <p key={one.type} class="meta">
              {one.type} is False, {one.reason}: {one.message}
            </p>
          ))}
      </div>
      <dl class="facts">
        <Fact name="Set">
          <a
            href={routeUrl(target)}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey) return;
              event.preventDefault();
              navigate(target);
            }}
          >
            {setSentence(spec, namespace)}
          </a>
        </Fact>
        <Fact name="Sent up to">
          {positionText(answer)} <span class="meta">lag: {lagText(answer?.status?.lag)}</span>
        </Fact>
        <Fact name="In the queue">
          {answer?.status?.messages === undefined ? (
            <span class="meta">not counted yet</span>
          ) : (
            <>
              {answer.status.messages.waiting} waiting, {answer.status.messages.inFlight} received and not
              deleted <span class="meta">at {timeOf(answer.status.messages.asOf)}, by SQS' own count</span>
            </>
          )}
        </Fact>
        <Fact name="Queue">
          {status?.queueUrl ? (
            <span class="copied">
              <code class="clip" title={status.queueUrl}>
                {status.queueUrl}
              </code>
              <button
                type="button"
                onClick={() => void copyText(status.queueUrl ?? '', 'the URL of the queue')}
              >
                Copy
              </button>
            </span>
          ) : (
            <span class="meta">does not exist yet</span>
          )}
        </Fact>
        <Fact name="Messages">
          {spec.queue?.type ?? 'FIFO'} · {spec.payload ?? 'Object'} · started from {spec.start ?? 'now'}
        </Fact>
        {status?.author?.username && <Fact name="With the rights of">{status.author.username}</Fact>}
      </dl>
      <Consume kind={kind} spec={spec} namespace={namespace} name={name} queueUrl={status?.queueUrl ?? ''} />
      <Timeline
        spec={spec}
        namespace={namespace}
        start={spec.start}
        created={metadata.creationTimestamp}
        position={answer?.status?.position}
        behind={answer?.status?.lag?.changes}
      />
    </section>
  );
}

function positionText(answer: WholeSubscription | undefined): string {
  const position = answer?.status?.position;
  if (position === undefined) return '–';
  return position === '0' ? 'nothing yet: the snapshot is under way' : `resourceVersion ${position}`;
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Actions({ kind, listed }: DetailProps) {
  const { metadata, spec } = listed;
  const { namespace = '', name } = metadata;
  const [isRemoving, setRemoving] = useState(false);
  const why = whyNoWrites();
  const suspend = async () => {
    const { resourceVersion, uid } = metadata;
    const body = { metadata: { resourceVersion, uid }, spec: { suspend: spec.suspend !== true } };
    const contentType = 'application/merge-patch+json';
    try {
      await ask(objectPath(kind, metadata), { method: 'PATCH', body, contentType });
      toast(spec.suspend === true ? `${name} delivers again` : `${name} is suspended`);
    } catch (error) {
      toast((error as Error).message, { kind: 'failed' });
    }
  };
  return (
    <span class="actions">
      <button
        type="button"
        onClick={() => navigate({ open: openText({ kind: kind.id, namespace, name }), tab: '' })}
      >
        Open object
      </button>
      <button type="button" disabled={why !== ''} title={why} onClick={() => void suspend()}>
        {spec.suspend === true ? 'Resume' : 'Suspend'}
      </button>
      <button type="button" disabled={why !== ''} title={why} onClick={() => setRemoving(true)}>
        Delete
      </button>
      {isRemoving && (
        <RemoveDialog kind={kind} metadata={metadata} close={() => setRemoving(false)}>
          <p>
            {spec.queue?.arn
              ? 'Winnow stops sending. Your own queue stays, with its messages.'
              : 'Winnow also deletes the queue, with the messages that no consumer has received.'}
          </p>
          <p class="meta">To pause delivery instead, suspend the Subscription.</p>
        </RemoveDialog>
      )}
    </span>
  );
}
