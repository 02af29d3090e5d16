import { describe, expect, it } from '@jest/globals';
import { Stack } from 'aws-cdk-lib';
import { Table } from '../../../infra/constructs/storage/table.ts';
import { gapsOf } from '../../../infra/emulators.ts';
import type { Template } from '../../../infra/local/template.ts';
import { type Properties, properties, synthesized } from './synthesized.ts';

describe('the table with provisioned capacity', () => {
  const chosen = {
    read: { minimum: 10, maximum: 2_000 },
    write: { minimum: 25, maximum: 3_000 },
    utilization: 60,
  };
  /** The scalable targets: the table and its 17 indexes, each for reads and for writes. */
  const INDEXES = 17;
  const dimensions = ['table', ...Array<string>(INDEXES).fill('index')].flatMap((kind) => [
    `dynamodb:${kind}:ReadCapacityUnits`,
    `dynamodb:${kind}:WriteCapacityUnits`,
  ]);
  const typed = (template: Template, type: string) =>
    properties(template, `AWS::ApplicationAutoScaling::${type}`);

  it('the table starts with the minimum, and each index with a fifth of it', async () => {
    const [table] = properties(await synthesized({ provisioned: chosen }), 'AWS::DynamoDB::Table');
    const least = { ReadCapacityUnits: 10, WriteCapacityUnits: 25 };
    expect(table?.BillingMode ?? 'PROVISIONED').toBe('PROVISIONED');
    expect(table?.ProvisionedThroughput).toEqual(least);
    const ofIndexes = table?.GlobalSecondaryIndexes.map((index: Properties) => index.ProvisionedThroughput);
    expect(ofIndexes).toEqual(Array(INDEXES).fill({ ReadCapacityUnits: 2, WriteCapacityUnits: 5 }));
  });

  it('the capacity follows the use of the table and of each index, within the limits', async () => {
    const scaled = await synthesized({ provisioned: chosen });
    const targets = typed(scaled, 'ScalableTarget');
    expect(targets.map(({ ScalableDimension }) => ScalableDimension).sort()).toEqual(dimensions.sort());
    for (const { ScalableDimension, MinCapacity, MaxCapacity } of targets) {
      const { minimum, maximum } = ScalableDimension.includes('Read') ? chosen.read : chosen.write;
      const least = ScalableDimension.includes(':index:') ? minimum / 5 : minimum;
      expect([MinCapacity, MaxCapacity]).toEqual([least, maximum]);
    }
    const indexes = targets.flatMap(
      ({ ResourceId }) => /index\/[a-z0-9-]+/.exec(JSON.stringify(ResourceId)) ?? [],
    );
    expect(indexes).toHaveLength(2 * INDEXES);
    expect(new Set(indexes).size).toBe(INDEXES);
    const policies = typed(scaled, 'ScalingPolicy');
    expect(policies).toHaveLength(dimensions.length);
    for (const { TargetTrackingScalingPolicyConfiguration: tracking } of policies) {
      expect(tracking.TargetValue).toBe(60);
    }
  });

  it.each(['ministack', 'localstack'])(
    'the capacity stays at the minimum on %s, which has no auto scaling',
    async (emulator) => {
      const emulated = await synthesized({ provisioned: chosen, emulator });
      expect(typed(emulated, 'ScalableTarget')).toEqual([]);
      expect(properties(emulated, 'AWS::DynamoDB::Table')[0]?.ProvisionedThroughput).toBeDefined();
    },
  );

  it('A deployment sets the write units that the table takes at once', async () => {
    const [table] = properties(await synthesized({ warmWriteUnits: 8_000 }), 'AWS::DynamoDB::Table');
    expect(table?.WarmThroughput).toEqual({ WriteUnitsPerSecond: 8_000 });
    const [other] = properties(await synthesized(), 'AWS::DynamoDB::Table');
    expect(other?.WarmThroughput).toBeUndefined();
  });

  it('A deployment does not change the capacity of a table that it did not create', () => {
    const stream = 'arn:aws:dynamodb:eu-west-1:111122223333:table/mine/stream/2026-01-01T00:00:00.000';
    const gaps = gapsOf(undefined);
    expect(
      () => new Table(new Stack(), 'Storage', { destroyable: true, warmWriteUnits: 8_000, stream, gaps }),
    ).toThrow('warmWriteUnits cannot be combined with tableStream');
  });

  it('nothing scales without provisioned capacity', async () => {
    expect(typed(await synthesized(), 'ScalableTarget')).toEqual([]);
  });
});
