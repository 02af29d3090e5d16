import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Template } from '../../../infra/local/template.ts';
import { functionOf, functionsOf, properties, resources, statementsOf, synthesized } from './synthesized.ts';

const auditPolicy = JSON.stringify({
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  rules: [{ level: 'Metadata' }],
});
const ANSWERING = ['issue', 'place', 'read', 'write'];

/** The logical id of the log group of a function. */
const logOf = (template: Template, name: string): string =>
  functionOf(template, name)[1].LoggingConfig.LogGroup.Ref;

/** The audit log: a log group that functions share. */
function sharedLog(template: Template) {
  const [[id, group] = [], ...more] = resources(template, 'AWS::Logs::LogGroup').filter(([one]) =>
    one.startsWith('AuditLog'),
  );
  expect(more).toEqual([]);
  if (id === undefined || group === undefined) throw new Error('there is no audit log');
  return { id, group: group as typeof group & { readonly DeletionPolicy?: string } };
}

describe('a separate audit log group', () => {
  let template: Template;
  beforeAll(async () => {
    template = await synthesized({ auditPolicy, auditLogRetention: 365, serviceAccountTokens: true });
  });

  it('the audit log is kept for the set number of days, and stays when the stack is deleted', () => {
    const { id, group } = sharedLog(template);
    expect(group).toMatchObject({ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    expect(group.Properties).toEqual({ RetentionInDays: 365 });
    expect((template as { Outputs?: object }).Outputs).toMatchObject({
      AuditLogGroup: { Value: { Ref: id } },
    });
  });

  it('the audit log has the output of only the functions that write audit events', () => {
    const { id } = sharedLog(template);
    expect(
      functionsOf(template)
        .filter((name) => logOf(template, name) === id)
        .sort(),
    ).toEqual(ANSWERING);
    const writing = functionsOf(template).filter((name) =>
      statementsOf(template, name).some(({ Action, Resource }) => {
        return [Action].flat().includes('logs:PutLogEvents') && JSON.stringify(Resource).includes(`"${id}"`);
      }),
    );
    expect(writing.sort()).toEqual(ANSWERING);
  });

  it('the log groups with earlier events stay', async () => {
    const groups = (one: Template) => resources(one, 'AWS::Logs::LogGroup').map(([id]) => id);
    const before = groups(await synthesized({ auditPolicy, serviceAccountTokens: true }));
    expect(groups(template).sort()).toEqual([...before, sharedLog(template).id].sort());
  });

  it('the audit log is encrypted with a retained key of the stack, which only CloudWatch Logs may use', async () => {
    const chosen = { auditPolicy, auditLogRetention: 90, auditLogKey: 'managed' };
    const keyed = await synthesized(chosen);
    const [[id, key] = []] = resources(keyed, 'AWS::KMS::Key');
    expect(sharedLog(keyed).group.Properties).toMatchObject({ KmsKeyId: { 'Fn::GetAtt': [id, 'Arn'] } });
    expect(key).toMatchObject({ DeletionPolicy: 'Retain' });
    const [{ KeyPolicy } = {}] = properties(keyed, 'AWS::KMS::Key');
    const statements: { Sid?: string; Principal: object }[] = KeyPolicy.Statement;
    const found = statements.filter(({ Principal }) => 'Service' in Principal);
    expect(found).toHaveLength(1);
    expect(JSON.stringify(found)).toContain('kms:EncryptionContext:aws:logs:arn');
    expect(JSON.stringify(found)).toMatch(/"logs\.",\{"Ref":"AWS::Region"\}/);
  });

  it('the audit log is encrypted with a key that the deployer names', async () => {
    const auditLogKey = 'arn:aws:kms:eu-central-1:111122223333:key/a';
    const keyed = await synthesized({ auditPolicy, auditLogRetention: 90, auditLogKey });
    expect(sharedLog(keyed).group.Properties).toMatchObject({ KmsKeyId: auditLogKey });
    expect(properties(keyed, 'AWS::KMS::Key')).toEqual([]);
  });

  it.each([
    [{ auditLogRetention: 365 }, 'auditLogRetention needs auditPolicy'],
    [
      { auditPolicy, auditLogRetention: 31 },
      'auditLogRetention is 31: CloudWatch Logs supports only 1, 3, 5',
    ],
    [{ auditPolicy, auditLogKey: 'managed' }, 'auditLogKey needs auditLogRetention'],
    [
      { auditPolicy, auditLogRetention: 1, auditLogKey: 'mine' },
      'the setting auditLogKey is mine: it must be managed',
    ],
  ])('the audit log settings %j fail the deployment', async (chosen, why) => {
    await expect(synthesized(chosen)).rejects.toThrow(why);
  });
});
