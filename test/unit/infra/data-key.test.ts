import { describe, expect, it } from '@jest/globals';
import { ENVIRONMENT } from '../../../lib/platform/index.ts';
import { functionOf, functionsOf, properties, resources, statementsOf, synthesized } from './synthesized.ts';

const chosen = { placement: true, derived: ['status'] } as const;
const IDLE = ['authorizer', 'settings-guard'];

describe('the encryption key of the stack', () => {
  it('a managed key encrypts the table and every queue, rotates, and is retained like the table', async () => {
    const template = await synthesized({ ...chosen, key: 'managed' });
    const [[id, key] = []] = resources(template, 'AWS::KMS::Key');
    const arn = { 'Fn::GetAtt': [id, 'Arn'] };
    expect(key).toMatchObject({ DeletionPolicy: 'Retain', Properties: { EnableKeyRotation: true } });
    const [table] = properties(template, 'AWS::DynamoDB::Table');
    expect(table?.SSESpecification).toEqual({ SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: arn });
    const queues = properties(template, 'AWS::SQS::Queue');
    expect(queues.length).toBeGreaterThan(8);
    for (const queue of queues) expect(queue.KmsMasterKeyId).toEqual(arn);
    const reconcile = functionOf(template, 'reconcile')[1];
    expect(reconcile.Environment.Variables[ENVIRONMENT.queueKey]).toEqual(arn);
  });

  it('only functions that use table or queues may use the key, via these services, and the schedule for failed ticks', async () => {
    const template = await synthesized({ ...chosen, key: 'managed' });
    const [[id, key] = []] = resources(template, 'AWS::KMS::Key');
    for (const name of functionsOf(template)) {
      const [use, ...others] = statementsOf(template, name).filter(({ Action }) =>
        [Action].flat().some((action) => String(action).startsWith('kms:')),
      );
      expect([name, others]).toEqual([name, []]);
      expect([name, use === undefined]).toEqual([name, IDLE.includes(name)]);
      if (use === undefined) continue;
      expect(use.Resource).toEqual({ 'Fn::GetAtt': [id, 'Arn'] });
      const via = JSON.stringify(use.Condition?.StringEquals?.['kms:ViaService']);
      expect(via).toContain('dynamodb.');
      expect(via).toContain('sqs.');
    }
    const policy = { Action: ['kms:Decrypt', 'kms:GenerateDataKey'], Effect: 'Allow' };
    const schedule = { ...policy, Principal: { Service: 'events.amazonaws.com' } };
    expect(key?.Properties?.KeyPolicy).toMatchObject({
      Statement: expect.arrayContaining([expect.objectContaining(schedule)]),
    });
  });

  it('the key may be an existing one by ARN, and without the setting there is none', async () => {
    const arn = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
    const named = await synthesized({ key: arn });
    expect(resources(named, 'AWS::KMS::Key')).toEqual([]);
    expect(properties(named, 'AWS::DynamoDB::Table')[0]?.SSESpecification.KMSMasterKeyId).toBe(arn);
    const none = JSON.stringify(await synthesized(chosen));
    expect(none).not.toContain('kms:');
    expect(none).not.toContain('KmsMasterKeyId');
  });
});
