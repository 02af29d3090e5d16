import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '../../connection/index.ts';
import type { Examination, Step } from '../examination.ts';
import { selectorOf } from '../follow-changes.ts';

/** The name of the subscription, and of the object that it selects. */
export const SUBSCRIBED = 'subscribed';

const PAUSE = 500;

interface Status {
  readonly phase?: string;
  readonly queueUrl?: string;
  readonly conditions?: readonly { readonly type: string; readonly message?: string }[];
}

export const subscribe: Step = {
  name: 'subscribe',
  required: true,
  run: async (examination) => {
    const { connection, subscriptionsPath, patience, signal } = examination;
    await connection.ask('POST', subscriptionsPath, {
      body: {
        apiVersion: 'winnow.dev/v1',
        kind: 'Subscription',
        metadata: { name: SUBSCRIBED },
        spec: { resource: { group: '', resource: 'configmaps' }, labelSelector: selectorOf(SUBSCRIBED) },
      },
    });
    for (const end = performance.now() + patience.subscription; ; await sleep(PAUSE, undefined, { signal })) {
      const status = await readStatus(examination);
      examination.queueUrl = status.phase === 'Synced' ? status.queueUrl : undefined;
      if (examination.queueUrl !== undefined) return 'Synced, with a queue of its own';
      if (performance.now() > end) throw notSynced(status, patience.subscription / 1_000);
    }
  },
};

async function readStatus({ connection, subscriptionsPath }: Examination): Promise<Status> {
  const { status } = await connection.ask('GET', `${subscriptionsPath}/${SUBSCRIBED}`);
  return (status ?? {}) as Status;
}

function notSynced({ phase, conditions = [] }: Status, seconds: number): Fault {
  const why = conditions.find(({ type }) => type === 'Ready')?.message;
  return new Fault({
    what: `the subscription is ${phase ?? 'Pending'} after ${seconds} s, not Synced${why ? `: ${why}` : ''}`,
    advice: adviceFor(phase),
    runbook: 'a-subscription-does-not-get-synced',
  });
}

function adviceFor(phase: string | undefined): string {
  switch (phase) {
    case 'Failing':
      return 'Its queue exists, but refuses messages: check its policy and its encryption';
    case 'CatchingUp':
      return 'Its queue exists, but dispatch does not take the subscription over: find the error in the log of the dispatch function or of the reconcile function';
    default:
      return "Its queue does not exist: find the error in the reconcile function's log";
  }
}
