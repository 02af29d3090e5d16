import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Template } from '../../../infra/local/template.ts';
import { type Properties, properties, resources, synthesized } from './synthesized.ts';

let template: Template;
beforeAll(async () => {
  template = await synthesized();
}, 60_000);

/** Who may do what, on what, and when: one line for each action of each statement. */
function grants(name: string): string[] {
  const found = resources(template, 'AWS::Lambda::Function').find(
    ([, { Metadata }]) => Metadata?.['winnow:entryPoint'] === name,
  );
  if (!found) throw new Error(`the template has no function ${name}`);
  const role = (found[1].Properties as Properties).Role['Fn::GetAtt'][0];
  const policies = properties(template, 'AWS::IAM::Policy').filter(({ Roles }) =>
    Roles.some(({ Ref }: { Ref: string }) => Ref === role),
  );
  return policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement.flatMap(lines)).sort();
}

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: object;
}

function lines({ Effect, Action, Resource, Condition }: Statement): string[] {
  expect(Effect).toBe('Allow');
  const suffix = Condition ? ` if ${JSON.stringify(Condition)}` : '';
  return [Action]
    .flat()
    .flatMap((action) => [Resource].flat().map((resource) => `${action} on ${spell(resource)}${suffix}`));
}

/** An ARN in the template as short text: `Table/index/*`, `sqs:…:winnow-subscription-*`. */
function spell(value: unknown): string {
  if (typeof value === 'string') return value;
  const [[name, argument]] = Object.entries(value as Record<string, unknown>) as [[string, never]];
  if (name === 'Fn::Join') return (argument[1] as unknown[]).map(spell).join('');
  const text = name === 'Ref' ? String(argument) : `${argument[0]}.${argument[1]}`;
  return text.replace(/[0-9A-F]{8}(?=$|\.)/, '');
}

const on = (resource: string, service: string, ...actions: string[]) =>
  actions.map((action) => `${service}:${action} on ${resource}`);

const TABLE = 'StorageTable.Arn';
const SUBSCRIPTIONS = 'arn:AWS::Partition:sqs:AWS::Region:AWS::AccountId:winnow-subscription-*';

const logs = (owner: string) => on(`${owner}Logs.Arn`, 'logs', 'CreateLogStream', 'PutLogEvents');
const reads = [TABLE, `${TABLE}/index/*`].flatMap((arn) =>
  on(arn, 'dynamodb', 'GetItem', 'BatchGetItem', 'Query'),
);
const writes = on(TABLE, 'dynamodb', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem');
const sends = (queue: string) => on(queue, 'sqs', 'SendMessage');
const consumes = (queue: string) =>
  on(
    queue,
    'sqs',
    'ReceiveMessage',
    'ChangeMessageVisibility',
    'GetQueueUrl',
    'DeleteMessage',
    'GetQueueAttributes',
  );

describe('the role of', () => {
  it('read writes journal holes and the settled mark only', () => {
    const leading =
      ' if {"ForAllValues:StringLike":{"dynamodb:LeadingKeys":["journal#*","head#*"]},' +
      '"Null":{"dynamodb:LeadingKeys":"false"}}';
    expect(grants('read')).toEqual(
      [
        ...logs('FunctionsRead'),
        ...reads,
        ...on(TABLE, 'dynamodb', 'PutItem', 'UpdateItem').map((line) => line + leading),
      ].sort(),
    );
  });

  it('write changes the table and sends hints', () => {
    expect(grants('write')).toEqual(
      [...logs('FunctionsWrite'), ...reads, ...writes, ...sends('QueuesEvents.Arn')].sort(),
    );
  });

  it('relay reads the stream and sends hints', () => {
    const stream = on(
      'StorageTable.StreamArn',
      'dynamodb',
      'DescribeStream',
      'GetRecords',
      'GetShardIterator',
    );
    expect(grants('relay')).toEqual(
      [
        ...logs('FunctionsRelay'),
        ...stream,
        // Listing has no resource of its own.
        ...on('*', 'dynamodb', 'ListStreams'),
        ...sends('QueuesEvents.Arn'),
        ...on('QueuesRelayFailures.Arn', 'sqs', 'SendMessage', 'GetQueueAttributes', 'GetQueueUrl'),
      ].sort(),
    );
  });

  it('dispatch consumes hints, goes on with a backlog, wakes reconcile and sends to subscribers', () => {
    expect(grants('dispatch')).toEqual(
      [
        ...logs('FunctionsDispatch'),
        ...reads,
        ...writes,
        ...consumes('QueuesEvents.Arn'),
        ...sends('QueuesEvents.Arn'),
        ...sends('QueuesReconcile.Arn'),
        ...sends(SUBSCRIPTIONS),
      ].sort(),
    );
  });

  it('reconcile alone makes and deletes queues, under the prefix only', () => {
    const manages = ['CreateQueue', 'DeleteQueue', 'TagQueue', 'GetQueueUrl', 'GetQueueAttributes'];
    expect(grants('reconcile')).toEqual(
      [
        ...logs('FunctionsReconcile'),
        ...reads,
        ...writes,
        ...consumes('QueuesReconcile.Arn'),
        ...sends('QueuesReconcile.Arn'),
        ...sends('QueuesEvents.Arn'),
        ...on(SUBSCRIPTIONS, 'sqs', ...manages, 'SetQueueAttributes', 'SendMessage'),
      ].sort(),
    );
  });

  it('authorizer reads the token and nothing else', () => {
    expect(grants('authorizer')).toEqual(
      [...logs('LoginAuthorizer'), ...on('LoginToken.Id', 'secretsmanager', 'GetSecretValue')].sort(),
    );
  });
});

describe('every role', () => {
  it('is for Lambda, belongs to one function and carries no managed policy', () => {
    const roles = properties(template, 'AWS::IAM::Role');
    expect(roles).toHaveLength(properties(template, 'AWS::Lambda::Function').length);
    for (const role of roles) {
      expect(role.ManagedPolicyArns).toBeUndefined();
      expect(role.AssumeRolePolicyDocument.Statement).toEqual([
        { Action: 'sts:AssumeRole', Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' } },
      ]);
    }
  });

  it("cannot reach the stack's own queues through the subscriptions' prefix", () => {
    const [{ Environment }] = properties(template, 'AWS::Lambda::Function') as [{ Environment: Properties }];
    const prefix = Environment.Variables.WINNOW_QUEUE_PREFIX;
    for (const [id, { Properties: queue }] of resources(template, 'AWS::SQS::Queue')) {
      // CloudFormation then calls it `<stack>-<logical id>-…`; SQS minds the case, we would rather not.
      expect(queue?.QueueName).toBeUndefined();
      expect(`Winnow-${id}`.toLowerCase().startsWith(prefix)).toBe(false);
    }
  });
});
