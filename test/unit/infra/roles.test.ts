import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Template } from '../../../infra/local/template.ts';
import {
  functionsOf,
  type Properties,
  properties,
  resources,
  type Statement,
  statementsOf,
  synthesized,
} from './synthesized.ts';

let template: Template;
beforeAll(async () => {
  template = await synthesized();
});

/** A role's statements by id, with short ARNs. The statement without an id is for the function's own log. */
function roleOf(name: string, deployed = template): Record<string, object> {
  const entries = statementsOf(deployed, name).map(({ Sid = 'Log', Effect, ...statement }) => {
    expect(Effect).toBe('Allow');
    return [Sid, spelled(statement)] as const;
  });
  expect(new Set(entries.map(([sid]) => sid)).size).toBe(entries.length);
  return Object.fromEntries(entries);
}

function spelled({ Action, Resource, Condition }: Omit<Statement, 'Effect'>) {
  return {
    can: [Action].flat(),
    on: [Resource].flat().map(spell),
    ...(Condition && { if: Condition }),
  };
}

/** An ARN in the template as short text: `Table/index/*`, `sqs:…:winnow-subscription-*`. */
function spell(value: unknown): string {
  if (typeof value === 'string') return value;
  const [[name, argument]] = Object.entries(value as Record<string, unknown>) as [[string, never]];
  if (name === 'Fn::Join') return (argument[1] as unknown[]).map(spell).join('');
  const text = name === 'Ref' ? String(argument) : `${argument[0]}.${argument[1]}`;
  return text.replace(/[0-9A-F]{8}(?=$|\.)/, '');
}

const TABLE = 'StorageSlotted.Arn';
const SUBSCRIPTIONS = 'arn:AWS::Partition:sqs:AWS::Region:AWS::AccountId:winnow-subscription-*';

const log = (owner: string) => ({
  Log: { can: ['logs:CreateLogStream', 'logs:PutLogEvents'], on: [`${owner}Logs.Arn`] },
});
const rows = (kinds: readonly string[], attributes?: readonly string[]) => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': kinds.map((kind) => `${kind}#*`) },
  Null: { 'dynamodb:LeadingKeys': 'false' },
  ...(attributes && { 'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', ...attributes] } }),
});
const onRows = (actions: readonly string[], kinds: readonly string[], attributes?: readonly string[]) => ({
  can: actions.map((action) => `dynamodb:${action}`),
  on: [TABLE],
  if: rows(kinds, attributes),
});
const reads = (...kinds: string[]) => ({
  ReadRows: onRows(['GetItem', 'BatchGetItem', 'Query'], [...kinds, 'schema']),
});
const updatesHead = (...attributes: string[]) => ({
  UpdateHead: onRows(['UpdateItem'], ['head'], attributes),
});
const allotsVersions = (...attributes: string[]) => ({
  AllotVersions: onRows(['UpdateItem'], ['head', 'activity'], ['rv', ...attributes, 'at']),
});
const assignsSlots = {
  AssignSlots: onRows(
    ['UpdateItem'],
    ['slots'],
    Array.from({ length: 16 }, (_, slot) => `k${slot}`),
  ),
};
const updatesAccess = {
  UpdateAccess: onRows(
    ['UpdateItem'],
    ['access'],
    [
      'mutatingadmissionpolicies',
      'mutatingadmissionpolicybindings',
      'mutatingwebhookconfigurations',
      'validatingadmissionpolicies',
      'validatingadmissionpolicybindings',
      'validatingwebhookconfigurations',
      'clusterrolebindings',
      'clusterroles',
      'rolebindings',
      'roles',
      'accessentries',
      'accessgrants',
      'clusteraccessgrants',
      'secret',
    ],
  ),
};
const countsRequests = { CountRequests: onRows(['UpdateItem'], ['budget'], ['full', 'ttl']) };
const fillsHoles = { FillHoles: onRows(['PutItem'], ['journal'], ['hole', 'time', 'ttl']) };
const queriesIndexes = {
  QueryIndexes: {
    can: ['dynamodb:Query'],
    on: [...Array.from({ length: 16 }, (_, slot) => `slot-${slot}`), 'overflow'].map(
      (index) => `${TABLE}/index/${index}`,
    ),
  },
};
const sends = (sid: string, queue: string) => ({ [sid]: { can: ['sqs:SendMessage'], on: [queue] } });
const CLUSTER_ID = {
  'Fn::Join': ['-', ['winnow', { 'Fn::Select': [2, { 'Fn::Split': ['/', { Ref: 'AWS::StackId' }] }] }]],
};
const toUsersQueues = (tag: unknown, more: object, can: readonly string[] = []) => ({
  can: ['sqs:SendMessage', ...can],
  on: ['arn:AWS::Partition:sqs:AWS::Region:*:*'],
  if: { StringEquals: { 'aws:ResourceTag/winnow:deliver': tag, ...more } },
});
const ofOwnAccount = { 'aws:ResourceAccount': { Ref: 'AWS::AccountId' } };
const LOOKS = ['sqs:GetQueueAttributes', 'sqs:ListQueueTags'];
const deliversToOwn = (...can: string[]) => ({
  DeliverToOwn: toUsersQueues(CLUSTER_ID, ofOwnAccount, can),
  DeliverToEarlier: toUsersQueues('winnow-subscription-', {}),
});
const consumes = (queue: string) => ({
  Consume: {
    can: ['ReceiveMessage', 'DeleteMessage', 'ChangeMessageVisibility', 'GetQueueAttributes'].map(
      (action) => `sqs:${action}`,
    ),
    on: [queue],
  },
});

const notesSeen = { NoteSeen: onRows(['UpdateItem'], ['seen'], ['user', 'groups', 'at', 'ttl']) };
const hasHolesFilled = {
  HaveHolesFilled: { can: ['lambda:InvokeFunction'], on: ['FunctionsFillFunction.Arn'] },
};

/** The kinds of rows that a write of an object puts. */
const WRITTEN = ['object', 'chunk', 'labels', 'tombstone', 'journal', 'relabel', 'owner', 'looks'];

describe('the role of each function', () => {
  it('the role of read writes only when users were seen and their budgets, and may invoke fill', () => {
    expect(roleOf('read')).toEqual({
      ...log('FunctionsRead'),
      ...reads(
        'object',
        'chunk',
        'slots',
        'journal',
        'relabel',
        'head',
        'tombstone',
        'subscriptions',
        'tally',
        'anchor',
        'access',
        'seen',
      ),
      ...notesSeen,
      ...queriesIndexes,
      ...hasHolesFilled,
      ...countsRequests,
    });
  });

  it.each(['read', 'write', 'place', 'issue'])(
    'the role of %s may change only the time and the expiry of budgets, if requests are counted',
    async (name) => {
      const chosen = { requestsPerUser: '50/200', serviceAccountTokens: true };
      const uncounted = roleOf(name, await synthesized({ ...chosen, requestsPerUser: 'off' }));
      expect(roleOf(name, await synthesized(chosen))).toEqual({
        ...uncounted,
        ...countsRequests,
      });
    },
  );

  it('the role of fill only puts journal holes', () => {
    expect(roleOf('fill')).toEqual({
      ...log('FunctionsFill'),
      ...reads('journal', 'head'),
      ...fillsHoles,
    });
  });

  it('the role of fill also holds the permits of open watches if they are limited', async () => {
    expect(roleOf('fill', await synthesized({ watchesPerUser: 5 }))).toEqual({
      ...log('FunctionsFill'),
      ...reads('journal', 'head', 'watches'),
      ...fillsHoles,
      PutRows: onRows(['PutItem'], ['watches']),
      DeleteRows: onRows(['DeleteItem'], ['watches']),
    });
  });

  it('the role of write changes objects and their dependent rows, and sends hints', () => {
    expect(roleOf('write')).toEqual({
      ...log('FunctionsWrite'),
      ...reads(
        'object',
        'chunk',
        'slots',
        'journal',
        'relabel',
        'head',
        'owner',
        'turn',
        'reservation',
        'anchor',
        'access',
        'seen',
      ),
      ...notesSeen,
      ...queriesIndexes,
      PutRows: onRows(['PutItem'], [...WRITTEN, 'collections', 'turn', 'reservation', 'anchor']),
      DeleteRows: onRows(['DeleteItem'], ['object', 'labels', 'owner', 'anchor']),
      CheckRows: onRows(['ConditionCheckItem'], ['tombstone']),
      ...assignsSlots,
      ...updatesAccess,
      ...allotsVersions('floor'),
      ...countsRequests,
      ...sends('SendHints', 'QueuesEvents.Arn'),
    });
  });

  it('the role of place only reads objects and journals, records when users were seen, and may invoke fill', () => {
    expect(roleOf('place')).toEqual({
      ...log('FunctionsPlace'),
      ...reads('object', 'chunk', 'journal', 'head', 'access', 'seen'),
      ...notesSeen,
      ...hasHolesFilled,
      ...countsRequests,
    });
  });

  it('the role of bind writes objects under its lease, and wakes itself', async () => {
    template = await synthesized({ placement: true });
    expect(roleOf('bind')).toEqual({
      ...log('FunctionsBind'),
      ...consumes('QueuesPlacement.Arn'),
      ...reads('object', 'chunk', 'slots', 'journal', 'head', 'placer', 'snapshot'),
      PutRows: onRows(['PutItem'], ['object', 'chunk', 'journal', 'relabel', 'looks', 'snapshot']),
      UpdateRows: onRows(['UpdateItem'], ['placer']),
      CheckRows: onRows(['ConditionCheckItem'], ['tombstone', 'placer']),
      ...allotsVersions(),
      ...sends('SendHints', 'QueuesEvents.Arn'),
      ...sends('WakeBinder', 'QueuesPlacement.Arn'),
      ...sends('GiveUp', 'QueuesScheduleFailures.Arn'),
    });
    expect(roleOf('place')).toMatchObject(
      reads('object', 'chunk', 'journal', 'head', 'access', 'seen', 'snapshot'),
    );
    expect(roleOf('relay')).toMatchObject(sends('WakeBinder', 'QueuesPlacement.Arn'));
    template = await synthesized();
  });

  it('the role of relay reads the stream, sends hints and work, and sends failures to a queue', () => {
    const read = ['DescribeStream', 'GetRecords', 'GetShardIterator'].map((action) => `dynamodb:${action}`);
    expect(roleOf('relay')).toEqual({
      ...log('FunctionsRelay'),
      ReadStream: { can: read, on: ['StorageSlotted.StreamArn'] },
      ...reads('head'),
      ListStreams: { can: ['dynamodb:ListStreams'], on: ['*'] },
      ...sends('SendHints', 'QueuesEvents.Arn'),
      ...sends('SendWork', 'QueuesReconcile.Arn'),
      ...sends('GiveUp', 'QueuesRelayFailures.Arn'),
    });
  });

  it('the role of dispatch reads the journal, moves the cursor and sends to subscribers', () => {
    expect(roleOf('dispatch')).toEqual({
      ...log('FunctionsDispatch'),
      ...consumes('QueuesEvents.Arn'),
      ...reads('chunk', 'journal', 'head', 'subscriptions', 'tally', 'collections', 'access', 'seen'),
      ReadRules: {
        ...reads('object').ReadRows,
        if: {
          ...rows([]),
          'ForAllValues:StringLike': {
            'dynamodb:LeadingKeys': [
              'object#core/serviceaccounts',
              'object#rbac.authorization.k8s.io/*',
              'object#winnow.dev/access*',
              'object#winnow.dev/clusteraccessgrants',
              'schema#*',
            ],
          },
        },
      },
      ...fillsHoles,
      UpdateRows: onRows(['UpdateItem'], ['subscriptions', 'tally']),
      ...updatesHead(
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
      ...sends('SendHints', 'QueuesEvents.Arn'),
      ...sends('SendWork', 'QueuesReconcile.Arn'),
      ...sends('Deliver', SUBSCRIPTIONS),
      ...deliversToOwn(),
    });
  });

  it("the role of reconcile creates and deletes queues only with the stack's prefix and tag", () => {
    const tagged = (where: string) => ({
      StringEquals: { [`aws:${where}/winnow:prefix`]: 'winnow-subscription-' },
    });
    expect(roleOf('reconcile')).toEqual({
      ...log('FunctionsReconcile'),
      ...consumes('QueuesReconcile.Arn'),
      ...reads(
        'object',
        'chunk',
        'slots',
        'journal',
        'relabel',
        'head',
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
      ...notesSeen,
      ...queriesIndexes,
      PutRows: onRows(
        ['PutItem'],
        [
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
      ),
      UpdateRows: onRows(['UpdateItem'], ['subscriptions']),
      DeleteRows: onRows(
        ['DeleteItem'],
        ['object', 'chunk', 'labels', 'subscriptions', 'owner', 'looks', 'collections', 'anchor'],
      ),
      CheckRows: onRows(['ConditionCheckItem'], ['tombstone']),
      ...assignsSlots,
      ...updatesAccess,
      ...allotsVersions('settled', 'compacted', 'members', 'until'),
      ...sends('SendHints', 'QueuesEvents.Arn'),
      ...sends('SendWork', 'QueuesReconcile.Arn'),
      ...sends('Deliver', SUBSCRIPTIONS),
      ...deliversToOwn(...LOOKS),
      MakeQueues: {
        can: ['sqs:CreateQueue', 'sqs:TagQueue'],
        on: [SUBSCRIPTIONS],
        if: tagged('RequestTag'),
      },
      DeleteQueues: { can: ['sqs:DeleteQueue'], on: [SUBSCRIPTIONS], if: tagged('ResourceTag') },
      PermitConsumers: {
        can: ['sqs:SetQueueAttributes'],
        on: [SUBSCRIPTIONS],
        if: tagged('ResourceTag'),
      },
      FindQueues: { can: ['sqs:GetQueueAttributes', 'sqs:GetQueueUrl'], on: [SUBSCRIPTIONS] },
      ...sends('GiveUp', 'QueuesScheduleFailures.Arn'),
    });
  });

  it.each([
    ['org:o-abcdefghij', { 'aws:ResourceOrgID': 'o-abcdefghij' }],
    ['444455556666', { 'aws:ResourceAccount': [{ Ref: 'AWS::AccountId' }, '444455556666'] }],
    ['own', ofOwnAccount],
  ])('an enforced consumers=%s allows only queues of these accounts', async (consumers, condition) => {
    const confirmed = await synthesized({ consumers, enforceLimits: true });
    for (const [name, can] of [
      ['dispatch', []],
      ['reconcile', LOOKS],
    ] as const) {
      const { DeliverToOwn, DeliverToEarlier } = roleOf(name, confirmed);
      expect(DeliverToOwn).toEqual(toUsersQueues(CLUSTER_ID, condition, can));
      expect(DeliverToEarlier).toBeUndefined();
    }
  });

  it('the role of authorizer has no permissions, because the token itself holds the request to STS', () => {
    expect(roleOf('authorizer')).toEqual(log('LoginAuthorizer'));
  });
});

describe('the functions that may use subscription queues', () => {
  const allowed = (action: string, resource: string) =>
    functionsOf(template).filter((name) =>
      statementsOf(template, name).some(
        ({ Action, Resource }) =>
          [Action].flat().includes(action) && [Resource].flat().map(spell).includes(resource),
      ),
    );

  it.each([
    ['dispatch and reconcile send to subscribers', 'sqs:SendMessage', ['dispatch', 'reconcile']],
    ['reconcile creates queues', 'sqs:CreateQueue', ['reconcile']],
    ['reconcile deletes queues', 'sqs:DeleteQueue', ['reconcile']],
  ])('only %s', (_title, action, names) => {
    expect(allowed(action, SUBSCRIPTIONS)).toEqual(names);
  });
});

describe('the roles of the stack', () => {
  it('every role is for Lambda, belongs to one function and has no managed policy', () => {
    const roles = properties(template, 'AWS::IAM::Role');
    expect(roles).toHaveLength(properties(template, 'AWS::Lambda::Function').length);
    for (const role of roles) {
      expect(role.ManagedPolicyArns).toBeUndefined();
      expect(role.Policies).toBeUndefined();
      expect(role.AssumeRolePolicyDocument.Statement).toEqual([
        { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } },
      ]);
    }
  });

  it('there are no policies besides those tested here', () => {
    const attached = properties(template, 'AWS::IAM::Policy').flatMap(({ Roles }) => Roles);
    expect(attached).toHaveLength(functionsOf(template).length);
    expect(properties(template, 'AWS::IAM::ManagedPolicy')).toEqual([]);
  });

  it("the prefix of subscription queues does not match the stack's own queues", () => {
    const [{ Environment }] = properties(template, 'AWS::Lambda::Function') as [{ Environment: Properties }];
    const prefix = Environment.Variables.WINNOW_QUEUE_PREFIX;
    for (const [id, { Properties: queue }] of resources(template, 'AWS::SQS::Queue')) {
      // CloudFormation then names it `<stack>-<logical id>-…`. SQS respects case, but this check ignores it to be safe.
      expect(queue?.QueueName).toBeUndefined();
      expect(`Winnow-${id}`.toLowerCase().startsWith(prefix)).toBe(false);
    }
  });
});
