import { type IRole, PolicyStatement, type PolicyStatementProps } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { DELIVER_TAG, QUEUE_TAG } from '../../../lib/platform/index.ts';
import type { Gaps } from '../../emulators.ts';
import { type Functions, ofAllowedAccounts } from '../functions/index.ts';
import type { Queues, Table } from '../storage/index.ts';
import { fitStatement } from './fit-statement.ts';
import { consume, send } from './queue-statements.ts';
import {
  allotVersions,
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
  /** The value of the tag that queues of users must have. */
  readonly clusterId: string;
  /** The accounts that may receive messages; default: `own`. */
  readonly consumers?: string | undefined;
  /** Whether to stop sending to queues that were proved under earlier rules. */
  readonly enforceLimits?: boolean | undefined;
}

/** The rows that a LIST by labels reads. */
export const LISTED = ['object', 'chunk', 'slots', 'journal', 'relabel', 'head'] as const;

/** The rows that a write of an object puts. */
export const WRITTEN = [
  'object',
  'chunk',
  'labels',
  'tombstone',
  'journal',
  'relabel',
  'owner',
  'looks',
] as const;

/** The rows with snapshots that bind stores for new processes. */
const KEPT = ['snapshot'] as const;

/** The collections that decide the rights of authors: roles, bindings, grants, and the service accounts themselves. */
export const DECIDES_RIGHTS = [
  'core/serviceaccounts',
  'rbac.authorization.k8s.io/*',
  'winnow.dev/access*',
  'winnow.dev/clusteraccessgrants',
] as const;

/** The permissions of each function: only the rows, indexes and queues that it needs. */
export class Permissions extends Construct {
  constructor(scope: Construct, id: string, props: PermissionsProps) {
    super(scope, id);
    const { fill, read, write, place, bind, relay, dispatch, reconcile } = props.functions;
    const grants: readonly (readonly [IRole | undefined, readonly PolicyStatementProps[]])[] = [
      [fill.role, fillGrants(props)],
      [read.role, readGrants(props)],
      [write.role, writeGrants(props)],
      [place.role, placeGrants(props)],
      [bind?.role, bindGrants(props)],
      [relay.role, relayGrants(props)],
      [dispatch.role, dispatchGrants(props)],
      [reconcile.role, reconcileGrants(props)],
    ];
    for (const [role, statements] of grants) {
      for (const one of statements) {
        role?.addToPrincipalPolicy(new PolicyStatement(fitStatement(one, props.gaps)));
      }
    }
  }
}

/** The permissions that the functions of the API share: for audit events, and for the budget of requests. */
function requestGrants({ functions, table }: PermissionsProps): PolicyStatementProps[] {
  const { auditQueue } = functions;
  const audit = auditQueue === undefined ? [] : [send('SendAudit', auditQueue.queueArn)];
  return [...audit, ...countRequests(table, functions)];
}

/** `fill` decides gaps of the journal, and counts open watches. */
function fillGrants({ functions, table }: PermissionsProps): PolicyStatementProps[] {
  const { countsWatches } = functions;
  return [
    readRows(table, 'journal', 'head', ...(countsWatches ? (['watches'] as const) : [])),
    fillHoles(table),
    ...(countsWatches ? changeRows(table, { put: ['watches'], delete: ['watches'] }) : []),
  ];
}

function readGrants(props: PermissionsProps): PolicyStatementProps[] {
  const { functions, table } = props;
  return [
    ...requestGrants(props),
    readRows(table, ...LISTED, 'tombstone', 'subscriptions', 'tally', 'anchor', 'access', 'seen'),
    queryIndexes(table),
    noteSeen(table),
    invoke(functions.fill),
  ];
}

function writeGrants(props: PermissionsProps): PolicyStatementProps[] {
  const { table, queues } = props;
  return [
    ...requestGrants(props),
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
    allotVersions(table, 'floor'),
    sendHints(queues),
  ];
}

function placeGrants(props: PermissionsProps): PolicyStatementProps[] {
  const { functions, table } = props;
  const kept = functions.bind === undefined ? [] : KEPT;
  return [
    ...requestGrants(props),
    readRows(table, 'object', 'chunk', 'journal', 'head', 'access', 'seen', ...kept),
    noteSeen(table),
    invoke(functions.fill),
  ];
}

/** The permissions of bind; none without placement. */
function bindGrants({ table, queues }: PermissionsProps): PolicyStatementProps[] {
  const { placement } = queues;
  if (placement === undefined) return [];
  return [
    consume(placement.wake.queueArn),
    readRows(table, 'object', 'chunk', 'slots', 'journal', 'head', 'placer', 'snapshot'),
    ...changeRows(table, {
      put: ['object', 'chunk', 'journal', 'relabel', 'looks', 'snapshot'],
      update: ['placer'],
      check: ['tombstone', 'placer'],
    }),
    allotVersions(table),
    sendHints(queues),
    send('WakeBinder', placement.wake.queueArn),
    send('GiveUp', queues.scheduleFailures.queueArn),
  ];
}

function relayGrants({ table, queues }: PermissionsProps): PolicyStatementProps[] {
  const { placement } = queues;
  return [
    ...readStream(table),
    readRows(table, 'head'),
    sendHints(queues),
    sendWork(queues),
    ...(placement === undefined ? [] : [send('WakeBinder', placement.wake.queueArn)]),
    send('GiveUp', queues.relayFailures.queueArn),
  ];
}

function dispatchGrants(props: PermissionsProps): PolicyStatementProps[] {
  const { table, queues } = props;
  return [
    consume(queues.events.queueArn),
    readRows(table, 'chunk', 'journal', 'head', 'subscriptions', 'tally', 'collections', 'access', 'seen'),
    // Dispatch decides the rights of authors from these.
    { ...ofCollections(readRows(table, 'object'), ...DECIDES_RIGHTS), sid: 'ReadRules' },
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
      'followed',
    ),
    sendHints(queues),
    sendWork(queues),
    deliver(queues),
    ...deliverToOwn(props),
  ];
}

function reconcileGrants(props: PermissionsProps): PolicyStatementProps[] {
  const { table, queues } = props;
  return [
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
      'activity',
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
        'schema',
      ],
      update: ['subscriptions'],
      delete: ['object', 'chunk', 'labels', 'subscriptions', 'owner', 'looks', 'collections', 'anchor'],
      check: ['tombstone'],
    }),
    // Reconcile creates the system's namespaces, whose labels need slots.
    assignSlots(table),
    updateAccess(table),
    // Reconcile raises `members` of dispatch shards. Its condition reads `until`.
    allotVersions(table, 'settled', 'compacted', 'members', 'until'),
    sendHints(queues),
    sendWork(queues),
    deliver(queues),
    ...deliverToOwn(props, ['sqs:GetQueueAttributes', 'sqs:ListQueueTags']),
    ...manageQueues(queues),
    send('GiveUp', queues.scheduleFailures.queueArn),
  ];
}

const sendHints = (queues: Queues) => send('SendHints', queues.events.queueArn);
const sendWork = (queues: Queues) => send('SendWork', queues.reconcile.queueArn);
const deliver = (queues: Queues) => send('Deliver', queues.subscriptionQueues);

/**
 * The permissions to manage queues with the stack's prefix. A queue must be created with the stack's tag, and only a
 * queue with the tag may be deleted. To create a queue with tags, TagQueue is needed too.
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
 * The permissions to send to queues of users, in any account that may receive: only queues with the tag of this
 * deployment. Until the operator sets `enforceLimits`, queues with the tag of earlier releases are allowed too. No
 * new queue can use that tag: reconcile sends a queue its token only if it may do the actions in `looks`, which the
 * earlier tag does not allow.
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

/** The permissions that Lambda needs to poll the stream for a function. ListStreams supports no resource. */
function readStream({ streamArn }: Table): PolicyStatementProps[] {
  const actions = ['DescribeStream', 'GetRecords', 'GetShardIterator'];
  return [
    { sid: 'ReadStream', actions: actions.map((action) => `dynamodb:${action}`), resources: [streamArn] },
    { sid: 'ListStreams', actions: ['dynamodb:ListStreams'], resources: ['*'] },
  ];
}
