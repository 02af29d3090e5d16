import { type IRole, PolicyStatement, type PolicyStatementProps } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { DELIVER_TAG, QUEUE_TAG } from '../../lib/platform/index.ts';
import type { Gaps } from '../emulators.ts';
import { fitStatement } from './fit-statement.ts';
import type { Functions } from './functions.ts';
import { consume, send } from './queue-statements.ts';
import type { Queues } from './queues.ts';
import { ofAllowedAccounts } from './subscribing.ts';
import type { Table } from './table.ts';
import {
  assignSlots,
  changeRows,
  countRequests,
  fillHoles,
  invoke,
  noteSeen,
  ofCollections,
  queryIndexes,
  readRows,
  updateAccess,
  updateHead,
} from './table-statements.ts';

export interface PermissionsProps {
  readonly functions: Functions;
  readonly table: Table;
  readonly queues: Queues;
  readonly gaps: Gaps;
  /** What queues of users have to be tagged with. */
  readonly clusterId: string;
  /** Which accounts may receive; `own` where it is absent. */
  readonly consumers?: string | undefined;
  /** Whether queues that were proved under other rules may no longer be sent to. */
  readonly enforceLimits?: boolean | undefined;
}

/** What a LIST by labels reads. */
export const LISTED = ['object', 'slots', 'journal', 'relabel', 'head'] as const;

/** What a write of an object puts. */
export const WRITTEN = ['object', 'labels', 'tombstone', 'journal', 'relabel', 'owner', 'looks'] as const;

/** What whoever binds pods keeps for processes that start. */
const KEPT = ['snapshot'] as const;

/** Collections of which it is made who may do what, and whether the service account that may is there. */
const DECIDING = [
  'core/serviceaccounts',
  'rbac.authorization.k8s.io/*',
  'winnow.dev/access*',
  'winnow.dev/clusteraccessgrants',
] as const;

/** What each function may do, in one place: the keys, indexes and queues that it needs, and no other. */
export class Permissions extends Construct {
  constructor(scope: Construct, id: string, props: PermissionsProps) {
    super(scope, id);
    const { functions, table, queues, gaps } = props;
    const { fill, read, write, place, bind, relay, dispatch, reconcile } = functions;
    const allow = (role: IRole, ...statements: readonly PolicyStatementProps[]) => {
      for (const one of statements) role.addToPrincipalPolicy(new PolicyStatement(fitStatement(one, gaps)));
    };
    const sendHints = send('SendHints', queues.events.queueArn);
    const sendWork = send('SendWork', queues.reconcile.queueArn);
    const { auditQueue } = functions;
    if (auditQueue !== undefined) {
      for (const { role } of [read, write, place]) allow(role, send('SendAudit', auditQueue.queueArn));
    }
    const deliver = send('Deliver', queues.subscriptionQueues);

    for (const { role } of [read, write, place]) allow(role, ...countRequests(table, functions));
    const counted = functions.countsWatches ? (['watches'] as const) : [];
    const counting = functions.countsWatches
      ? changeRows(table, { put: ['watches'], delete: ['watches'] })
      : [];
    allow(fill.role, readRows(table, 'journal', 'head', ...counted), fillHoles(table), ...counting);
    allow(
      read.role,
      readRows(table, ...LISTED, 'subscriptions', 'tally', 'anchor', 'access', 'seen'),
      queryIndexes(table),
      noteSeen(table),
      invoke(fill),
    );
    allow(
      write.role,
      readRows(table, ...LISTED, 'owner', 'turn', 'reservation', 'anchor', 'access', 'seen'),
      noteSeen(table),
      queryIndexes(table),
      ...changeRows(table, {
        put: [...WRITTEN, 'collections', 'turn', 'reservation', 'anchor'],
        delete: ['object', 'labels', 'owner', 'anchor'],
        check: ['tombstone'],
      }),
      assignSlots(table),
      updateAccess(table),
      updateHead(table, 'rv'),
      sendHints,
    );
    allow(
      place.role,
      readRows(table, 'object', 'journal', 'head', 'access', 'seen', ...(bind === undefined ? [] : KEPT)),
      noteSeen(table),
      invoke(fill),
    );
    const { placement } = queues;
    const wakeBinder = placement && send('WakeBinder', placement.wake.queueArn);
    if (bind !== undefined && placement !== undefined) {
      allow(
        bind.role,
        consume(placement.wake.queueArn),
        readRows(table, 'object', 'slots', 'journal', 'head', 'placer', 'snapshot'),
        ...changeRows(table, {
          put: ['object', 'journal', 'relabel', 'looks', 'snapshot'],
          update: ['placer'],
          check: ['tombstone', 'placer'],
        }),
        updateHead(table, 'rv'),
        sendHints,
        send('WakeBinder', placement.wake.queueArn),
        send('GiveUp', queues.scheduleFailures.queueArn),
      );
    }
    allow(
      relay.role,
      ...readStream(table),
      sendHints,
      sendWork,
      ...[wakeBinder ?? []].flat(),
      send('GiveUp', queues.relayFailures.queueArn),
    );
    allow(
      dispatch.role,
      consume(queues.events.queueArn),
      readRows(table, 'journal', 'head', 'subscriptions', 'tally', 'collections', 'access', 'seen'),
      // Roles, bindings, grants and service accounts: by them the rights of authors are decided.
      { ...ofCollections(readRows(table, 'object'), ...DECIDING), sid: 'ReadRules' },
      fillHoles(table),
      ...changeRows(table, { update: ['subscriptions', 'tally'] }),
      updateHead(
        table,
        'settled',
        'position',
        'members',
        'seen',
        'until',
        'admitting',
        'admitted',
        'selecting',
        'leaseHolder',
        'leaseExpires',
      ),
      sendHints,
      sendWork,
      deliver,
      ...deliverToOwn(props),
    );
    allow(
      reconcile.role,
      consume(queues.reconcile.queueArn),
      readRows(
        table,
        ...LISTED,
        'subscriptions',
        'owner',
        'looks',
        'collections',
        'anchor',
        'sweeps',
        'access',
        'proof',
        'seen',
      ),
      noteSeen(table),
      queryIndexes(table),
      ...changeRows(table, {
        put: [
          ...WRITTEN,
          'subscriptions',
          'tally',
          'collections',
          'reservation',
          'anchor',
          'sweeps',
          'proof',
        ],
        update: ['subscriptions'],
        delete: ['object', 'labels', 'subscriptions', 'owner', 'looks', 'collections', 'anchor'],
        check: ['tombstone'],
      }),
      // Of the system's namespaces, which it makes.
      assignSlots(table),
      updateAccess(table),
      // Of the groups it says that there are members; whether there are groups it asks.
      updateHead(table, 'rv', 'settled', 'compacted', 'members', 'until'),
      sendHints,
      sendWork,
      deliver,
      ...deliverToOwn(props, ['sqs:GetQueueAttributes', 'sqs:ListQueueTags']),
      ...manageQueues(queues),
      send('GiveUp', queues.scheduleFailures.queueArn),
    );
  }
}

/**
 * Queues under the stack's prefix: made with the stack's tag only, and none deleted without it. A queue that is
 * made with tags needs TagQueue as well.
 */
function manageQueues({ subscriptionQueues, subscriptionPrefix }: Queues): PolicyStatementProps[] {
  const resources = [subscriptionQueues];
  const tagged = (where: string) => ({ StringEquals: { [`aws:${where}/${QUEUE_TAG}`]: subscriptionPrefix } });
  return [
    {
      sid: 'MakeQueues',
      actions: ['sqs:CreateQueue', 'sqs:TagQueue'],
      resources,
      conditions: tagged('RequestTag'),
    },
    { sid: 'DeleteQueues', actions: ['sqs:DeleteQueue'], resources, conditions: tagged('ResourceTag') },
    {
      sid: 'PermitConsumers',
      actions: ['sqs:SetQueueAttributes'],
      resources,
      conditions: tagged('ResourceTag'),
    },
    { sid: 'FindQueues', actions: ['sqs:GetQueueAttributes', 'sqs:GetQueueUrl'], resources },
  ];
}

/**
 * Queues of users, of any account that may receive: those alone that are tagged with the id of this deployment. Until
 * the operator confirms that the rules hold for all of them, also those with the tag of earlier versions: no new one
 * gets so far, for reconcile sends it a token only where it may do what `looks` says, which the earlier tag does not give.
 */
function deliverToOwn(props: PermissionsProps, looks: readonly string[] = []): PolicyStatementProps[] {
  const { queuesAnywhere, subscriptionPrefix } = props.queues;
  const tagged = (value: string) => ({ [`aws:ResourceTag/${DELIVER_TAG}`]: value });
  const strict = {
    sid: 'DeliverToOwn',
    actions: ['sqs:SendMessage', ...looks],
    resources: [queuesAnywhere],
    conditions: { StringEquals: { ...tagged(props.clusterId), ...ofAllowedAccounts(props.consumers) } },
  };
  if (props.enforceLimits) return [strict];
  const conditions = { StringEquals: tagged(subscriptionPrefix) };
  return [strict, { ...send('DeliverToEarlier', queuesAnywhere), conditions }];
}

/** What Lambda needs to poll the stream on a function's behalf. Listing has no resource of its own. */
function readStream({ streamArn }: Table): PolicyStatementProps[] {
  const actions = ['DescribeStream', 'GetRecords', 'GetShardIterator'];
  return [
    { sid: 'ReadStream', actions: actions.map((action) => `dynamodb:${action}`), resources: [streamArn] },
    { sid: 'ListStreams', actions: ['dynamodb:ListStreams'], resources: ['*'] },
  ];
}
