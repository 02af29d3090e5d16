import { beforeAll, describe, expect, it } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Winnow, type WinnowProps } from '../../../infra/cdk/index.ts';
import type { Template as Synthesized } from '../../../infra/local/template.ts';
import { functionOf, resources, statementsOf, synthesized, withBundles } from './synthesized.ts';

const ADMIN = 'arn:aws:iam::111122223333:role/Admin';
const POLICY = (level: string) =>
  JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level }] });

/** The settings that the stack stores. */
function storedIn(template: Synthesized): Record<string, unknown> {
  const [[id, resource] = []] = resources(template, 'Custom::WinnowSettings');
  expect(id).toBe('WinnowSettings');
  const { ServiceToken: _, ServiceTimeout: __, ...stored } = resource?.Properties ?? {};
  return stored;
}

/** All resources that must exist before a resource, by its dependencies and references. */
function neededBy(template: Synthesized, id: string, found = new Set<string>()): ReadonlySet<string> {
  const resource = template.Resources[id];
  const { DependsOn = [] } = resource as { DependsOn?: string | string[] };
  const named = [...JSON.stringify(resource?.Properties ?? {}).matchAll(/"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/g)];
  for (const one of [...[DependsOn].flat(), ...named.map(([, name = '']) => name)]) {
    if (found.has(one) || !(one in template.Resources)) continue;
    found.add(one);
    neededBy(template, one, found);
  }
  return found;
}

describe('the stored settings of the stack', () => {
  let plain: Synthesized;
  beforeAll(async () => {
    plain = await synthesized();
  });

  it('the guarded settings are stored as the properties of a custom resource', async () => {
    expect(storedIn(plain)).toEqual({
      table: 'StorageSlotted3EB6A636',
      tableStream: '',
      destroyable: 'false',
      prefix: 'winnow',
      principals: [],
      key: '',
      serviceAccountTokens: 'false',
      auditPolicy: '',
      auditQueue: '',
      auditLogRetention: '',
      auditLogKey: '',
      confirmChange: [],
    });
    const auditQueue = 'arn:aws:sqs:eu-west-1:111122223333:audit';
    const chosen = {
      auditPolicy: POLICY('Metadata'),
      auditQueue,
      auditLogRetention: 365,
      auditLogKey: 'managed',
      serviceAccountTokens: true,
      key: 'managed',
    };
    expect(storedIn(await synthesized({ ...chosen, principals: [ADMIN], destroyable: true }))).toMatchObject({
      destroyable: 'true',
      principals: [ADMIN],
      key: 'managed',
      serviceAccountTokens: 'true',
      auditPolicy: 'on',
      auditQueue,
      auditLogRetention: '365',
      auditLogKey: 'managed',
    });
    expect(storedIn(await synthesized({ auditPolicy: POLICY('None') }))).toMatchObject({ auditPolicy: '' });
  });

  it('every other resource depends on the stored settings, except their own function, role and log group', async () => {
    const template = await synthesized({
      placement: true,
      canary: true,
      derived: ['status'],
      key: 'managed',
    });
    const first = neededBy(template, 'WinnowSettings');
    const ids = Object.keys(template.Resources).filter((id) => id !== 'WinnowSettings' && !first.has(id));
    expect(ids.filter((id) => !neededBy(template, id).has('WinnowSettings'))).toEqual([]);
    expect(ids.length).toBeGreaterThan(90);
    expect([...first].map((id) => template.Resources[id]?.Type).sort()).toEqual([
      'AWS::IAM::Policy',
      'AWS::IAM::Role',
      'AWS::Lambda::Function',
      'AWS::Logs::LogGroup',
    ]);
  });

  it('the settings function may only read the status of its own stack and write its log', () => {
    const statements = statementsOf(plain, 'settings-guard').map(({ Action, Resource }) => [
      Action,
      Resource,
    ]);
    const [functionId] = functionOf(plain, 'settings-guard');
    expect(functionId).toBe('WinnowSettingsFunction');
    expect(statements).toEqual([
      [['logs:CreateLogStream', 'logs:PutLogEvents'], expect.anything()],
      ['cloudformation:DescribeStacks', { Ref: 'AWS::StackId' }],
    ]);
  });

  it('the settings are not stored on an emulator without custom resources', async () => {
    const emulated = { emulator: 'localstack', stsEndpoint: 'http://127.0.0.1:4566' };
    const template = await synthesized(emulated);
    expect(resources(template, 'Custom::WinnowSettings')).toEqual([]);
    expect(JSON.stringify(template)).not.toContain('WinnowSettings');
  });
});

describe('an app that uses the construct', () => {
  const templateOf = (id: string, props: (stack: Stack) => Partial<WinnowProps> = () => ({})) =>
    withBundles(async (bundles) => {
      const app = new App({ analyticsReporting: false, builtinCloudFormationValidation: false });
      const stack = new Stack(app, 'Theirs');
      new Winnow(stack, id, { principals: [ADMIN], bundles, prefix: 'theirs', ...props(stack) });
      return Template.fromStack(stack).toJSON() as Synthesized;
    });

  it('renaming the construct updates the stored settings, which name the replaced table', async () => {
    const [before, after] = [await templateOf('Winnow'), await templateOf('Renamed')];
    const [stored, changed] = [storedIn(before), storedIn(after)];
    expect(changed).toEqual({ ...stored, table: expect.any(String) });
    expect(changed.table).not.toBe(stored.table);
    expect(Object.keys(after.Resources)).toContain(changed.table);
    // CloudFormation refuses to change the function of a custom resource.
    expect(functionOf(before, 'settings-guard')[0]).toBe(functionOf(after, 'settings-guard')[0]);
  });

  it('an app can confirm a change, and name a role of its own stack as an administrator', async () => {
    const template = await templateOf('Winnow', (stack) => ({
      principals: [new Role(stack, 'Own', { assumedBy: new ServicePrincipal('ec2.amazonaws.com') }).roleArn],
      confirmChange: ['key'],
    }));
    const [role] = resources(template, 'AWS::IAM::Role').filter(([id]) => id.startsWith('Own'));
    expect(storedIn(template)).toMatchObject({
      principals: [{ 'Fn::GetAtt': [role?.[0], 'Arn'] }],
      confirmChange: ['key'],
    });
  });
});
