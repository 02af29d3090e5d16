import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Template } from '../../../infra/local/template.ts';
import {
  functionOf,
  functionsOf,
  type Properties,
  properties,
  resources,
  synthesized,
} from './synthesized.ts';

let template: Template;
beforeAll(async () => {
  template = await synthesized();
});

/** The logical id, without its hash, of the queue that `Fn::GetAtt` names. */
const queueOf = (value: { 'Fn::GetAtt': [string, string] }) => value['Fn::GetAtt'][0].slice(0, -8);

describe('the table of the stack', () => {
  it('the stack has one table, keyed by pk and sk, with an index for each label slot and one for the overflow', () => {
    const [table, ...others] = properties(template, 'AWS::DynamoDB::Table');
    expect(others).toEqual([]);
    const keys = (hash: string, range: string) => [
      { AttributeName: hash, KeyType: 'HASH' },
      { AttributeName: range, KeyType: 'RANGE' },
    ];
    expect(table?.KeySchema).toEqual(keys('pk', 'sk'));
    const Projection = { ProjectionType: 'INCLUDE', NonKeyAttributes: ['labels'] };
    expect(table?.GlobalSecondaryIndexes).toEqual([
      ...Array.from({ length: 16 }, (_, slot) => ({
        IndexName: `slot-${slot}`,
        KeySchema: keys('pk', `v${slot}`),
        Projection,
      })),
      { IndexName: 'overflow', KeySchema: keys('k', 'v'), Projection },
    ]);
  });

  it('the table is on demand, streams keys, expires by ttl, is encrypted, recoverable and protected', () => {
    expect(properties(template, 'AWS::DynamoDB::Table')[0]).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamViewType: 'KEYS_ONLY' },
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
      SSESpecification: { SSEEnabled: true },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      DeletionProtectionEnabled: true,
    });
  });

  it('the table outlives the stack', () => {
    expect(resources(template, 'AWS::DynamoDB::Table')[0]?.[1]).toMatchObject({
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
    });
  });

  it('a destroyable table is deleted with the stack, and is still recoverable and encrypted', async () => {
    const destroyable = await synthesized({ destroyable: true });
    expect(resources(destroyable, 'AWS::DynamoDB::Table')[0]?.[1]).toMatchObject({
      DeletionPolicy: 'Delete',
      UpdateReplacePolicy: 'Delete',
      Properties: {
        DeletionProtectionEnabled: false,
        SSESpecification: { SSEEnabled: true },
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      },
    });
  });
});

describe('Lambda’s recursion detection', () => {
  it('recursion detection is off only for dispatch and reconcile, which limit their hops themselves', () => {
    const allowed = resources(template, 'AWS::Lambda::Function')
      .filter(([, { Properties }]) => Properties?.RecursiveLoop === 'Allow')
      .map(([id]) => id.replace(/^Functions|Function[0-9A-F]*$/g, ''));
    expect(allowed.sort()).toEqual(['Dispatch', 'Reconcile']);
  });
});

describe('the queues of the stack', () => {
  it('the work queues are high-throughput FIFO queues with dead letters after ten receives', () => {
    const queues = properties(template, 'AWS::SQS::Queue').filter(({ RedrivePolicy }) => RedrivePolicy);
    expect(queues.map(({ VisibilityTimeout }) => VisibilityTimeout)).toEqual([60, 90]);
    for (const queue of queues) {
      expect(queue).toMatchObject({
        FifoQueue: true,
        FifoThroughputLimit: 'perMessageGroupId',
        DeduplicationScope: 'messageGroup',
        RedrivePolicy: { maxReceiveCount: 10 },
      });
      const [deadLetters] = queue.RedrivePolicy.deadLetterTargetArn['Fn::GetAtt'];
      expect(template.Resources[deadLetters]?.Properties).toMatchObject({ FifoQueue: true });
    }
  });

  it('every queue is encrypted and refuses unencrypted connections', () => {
    const policies = properties(template, 'AWS::SQS::QueuePolicy');
    for (const [id, queue] of resources(template, 'AWS::SQS::Queue')) {
      expect(queue.Properties).toMatchObject({ SqsManagedSseEnabled: true });
      const policy = policies.find(({ Queues }) => Queues.some((one: { Ref: string }) => one.Ref === id));
      expect(policy?.PolicyDocument.Statement).toContainEqual(
        expect.objectContaining({
          Effect: 'Deny',
          Action: 'sqs:*',
          Condition: { Bool: { 'aws:SecureTransport': 'false' } },
        }),
      );
    }
  });
});

describe('the functions of the stack', () => {
  it('the environment of the functions holds only table, queues, prefix and their own settings', () => {
    const [table] = resources(template, 'AWS::DynamoDB::Table').map(([id]) => id);
    for (const name of functionsOf(template).filter(
      (one) => !['authorizer', 'settings-guard'].includes(one),
    )) {
      expect(functionOf(template, name)[1].Environment.Variables).toEqual({
        POWERTOOLS_SERVICE_NAME: 'Winnow',
        POWERTOOLS_METRICS_DISABLED: 'true',
        WINNOW_TABLE: { Ref: table },
        WINNOW_EVENT_QUEUE_URL: { Ref: expect.stringMatching(/^QueuesEvents[0-9A-F]{8}$/) },
        WINNOW_RECONCILE_QUEUE_URL: { Ref: expect.stringMatching(/^QueuesReconcile[0-9A-F]{8}$/) },
        WINNOW_QUEUE_PREFIX: 'winnow-subscription-',
        WINNOW_STREAMING: 'true',
        ...(['write', 'reconcile'].includes(name) && { WINNOW_QUEUE_ARNS: expect.anything() }),
        ...(name === 'reconcile' && {
          WINNOW_CLUSTER_ID: expect.anything(),
          WINNOW_SET_ASIDE_QUEUE_URLS: expect.anything(),
        }),
        ...(['read', 'write', 'place'].includes(name) && { WINNOW_REQUESTS_PER_USER: '50/200' }),
        ...(['read', 'place'].includes(name) && {
          WINNOW_FILL_FUNCTION: { Ref: expect.stringMatching(/^FunctionsFillFunction[0-9A-F]{8}$/) },
        }),
      });
    }
  });

  it('the functions run Node 24 on arm64 and keep their logs for a month', () => {
    const functions = properties(template, 'AWS::Lambda::Function');
    expect(functions).toHaveLength(9);
    for (const one of functions) {
      expect(one).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
      });
      const logs = template.Resources[one.LoggingConfig.LogGroup.Ref];
      expect(logs?.Properties).toMatchObject({ RetentionInDays: 30 });
    }
  });

  it.each([
    ['read', 309],
    ['write', 29],
    ['place', 29],
    ['fill', 10],
    ['relay', 30],
    ['dispatch', 30],
    ['reconcile', 60],
    ['authorizer', 8],
  ])('the function %s has a timeout of %i seconds', (name, seconds) => {
    const found = resources(template, 'AWS::Lambda::Function').find(
      ([, { Metadata }]) => Metadata?.['winnow:entryPoint'] === name,
    );
    expect(found?.[1].Properties).toMatchObject({ Timeout: seconds });
  });
});

describe('the event sources of the stack', () => {
  it('dispatch and reconcile receive batches of ten messages that may fail in part', () => {
    const sources = properties(template, 'AWS::Lambda::EventSourceMapping').filter(
      ({ EventSourceArn }) => EventSourceArn['Fn::GetAtt'][1] === 'Arn',
    );
    const pairs = sources.map(({ EventSourceArn, FunctionName }) => [
      EventSourceArn['Fn::GetAtt'][0].replace(/[0-9A-F]{8}$/, ''),
      template.Resources[FunctionName.Ref]?.Metadata?.['winnow:entryPoint'],
    ]);
    expect(pairs.sort()).toEqual([
      ['QueuesEvents', 'dispatch'],
      ['QueuesReconcile', 'reconcile'],
    ]);
    for (const source of sources) {
      expect(source).toMatchObject({ BatchSize: 10, FunctionResponseTypes: ['ReportBatchItemFailures'] });
    }
  });

  it('relay receives only inserts of journal entries, and gives up rather than block the stream shard', () => {
    const [source, ...others] = properties(template, 'AWS::Lambda::EventSourceMapping').filter(
      ({ EventSourceArn }) => EventSourceArn['Fn::GetAtt'][1] === 'StreamArn',
    );
    expect(others).toEqual([]);
    expect(source).toMatchObject({
      MaximumRecordAgeInSeconds: 900,
      MaximumRetryAttempts: 5,
      BisectBatchOnFunctionError: true,
      StartingPosition: 'TRIM_HORIZON',
    });
    expect(JSON.parse(source?.FilterCriteria.Filters[0].Pattern)).toEqual({
      eventName: ['INSERT'],
      dynamodb: { Keys: { pk: { S: [{ prefix: 'journal#' }] } } },
    });
    const [failures] = source?.DestinationConfig.OnFailure.Destination['Fn::GetAtt'] ?? [];
    expect(template.Resources[failures]?.Type).toBe('AWS::SQS::Queue');
  });

  it('the failures of relay and of the schedule go to queues', () => {
    const journal = properties(template, 'AWS::Lambda::EventSourceMapping').find(
      ({ MaximumRecordAgeInSeconds }) => MaximumRecordAgeInSeconds !== undefined,
    );
    expect(queueOf(journal?.DestinationConfig.OnFailure.Destination)).toBe('QueuesRelayFailures');
    const [invocations, ...others] = properties(template, 'AWS::Lambda::EventInvokeConfig');
    expect(others).toEqual([]);
    expect(invocations).toMatchObject({ MaximumEventAgeInSeconds: 180, MaximumRetryAttempts: 1 });
    expect(queueOf(invocations?.DestinationConfig.OnFailure.Destination)).toBe('QueuesScheduleFailures');
    const [target] = properties(template, 'AWS::Events::Rule')[0]?.Targets ?? [];
    expect(target.RetryPolicy).toEqual({ MaximumEventAgeInSeconds: 180, MaximumRetryAttempts: 1 });
    expect(queueOf(target.DeadLetterConfig.Arn)).toBe('QueuesScheduleFailures');
  });

  it('the concurrency of reconcile is limited, so that requests are not starved', () => {
    const limits = properties(template, 'AWS::Lambda::EventSourceMapping').map(
      ({ ScalingConfig }) => ScalingConfig?.MaximumConcurrency,
    );
    expect(limits.filter((limit) => limit !== undefined)).toEqual([50]);
  });

  it('the schedule invokes reconcile every minute', () => {
    const [rule, ...others] = properties(template, 'AWS::Events::Rule');
    expect(others).toEqual([]);
    expect(rule).toMatchObject({ ScheduleExpression: 'rate(1 minute)', State: 'ENABLED' });
    const [target] = rule?.Targets[0].Arn['Fn::GetAtt'] ?? [];
    expect(template.Resources[target]?.Metadata).toMatchObject({ 'winnow:entryPoint': 'reconcile' });
  });
});

it('every queue has dead letters, or holds failures itself', () => {
  const queues = resources(template, 'AWS::SQS::Queue');
  const aside = new Set([
    'QueuesEventsDeadLetters',
    'QueuesReconcileDeadLetters',
    'QueuesRelayFailures',
    'QueuesScheduleFailures',
  ]);
  for (const [id, { Properties: queue }] of queues) {
    expect([id, (queue as Properties).RedrivePolicy !== undefined]).toEqual([
      id,
      !aside.has(id.slice(0, -8)),
    ]);
  }
});

it('no function reserves concurrency of the account', () => {
  for (const one of properties(template, 'AWS::Lambda::Function')) {
    expect(one.ReservedConcurrentExecutions).toBeUndefined();
  }
});

it('the outputs of the stack name the URL, the table, the queue, the login and the alarm topic', () => {
  expect(Object.keys((template as Template & { Outputs: object }).Outputs)).toEqual(
    expect.arrayContaining([
      'ApiUrl',
      'TableName',
      'EventQueueUrl',
      'ClusterId',
      'TokenCommand',
      'AlarmTopicArn',
    ]),
  );
});
