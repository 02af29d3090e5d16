import { expect, it } from '@jest/globals';
import { App, Duration, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { type SubscriptionProps, Winnow, type WinnowProps } from '../../../infra/cdk/index.ts';
import { synthesized, withBundles } from './synthesized.ts';

const ADMIN = 'arn:aws:iam::111122223333:role/Admin';
const FRONTENDS = { resource: { resource: 'pods' }, labelSelector: 'tier=frontend' };

/** The template of a user's stack that contains a Winnow construct. */
function templateOf(
  fill: (winnow: Winnow, stack: Stack) => void,
  more: Partial<WinnowProps> = {},
): Promise<Template> {
  return withBundles(async (bundles) => {
    const app = new App({ analyticsReporting: false, builtinCloudFormationValidation: false });
    const stack = new Stack(app, 'Theirs');
    fill(new Winnow(stack, 'Winnow', { principals: [ADMIN], bundles, ...more }), stack);
    return Template.fromStack(stack);
  });
}

const functionIn = (stack: Stack, timeout = 10) =>
  new LambdaFunction(stack, 'Consumer', {
    runtime: Runtime.NODEJS_24_X,
    code: Code.fromInline('exports.handler = async () => {};'),
    handler: 'index.handler',
    timeout: Duration.seconds(timeout),
  });

const nameIn = (template: Template): string =>
  Object.values(template.findResources('Custom::WinnowSubscription'))[0]?.Properties.name;

it('A Subscription is a resource of the stack, and a function consumes its queue', async () => {
  const template = await templateOf((winnow, stack) => {
    winnow.subscribe('Frontends', { ...FRONTENDS, verify: true, handler: functionIn(stack) });
  });
  const [[id, { Properties, DependsOn }]] = Object.entries(
    template.findResources('Custom::WinnowSubscription'),
  ) as [[string, { Properties: { namespace: string; spec: string }; DependsOn: string[] }]];
  expect(Properties.namespace).toBe('default');
  expect(JSON.parse(Properties.spec)).toEqual({
    resource: { group: '', resource: 'pods' },
    namespaces: 'Own',
    labelSelector: 'tier=frontend',
    fieldSelector: '',
    queue: { type: 'FIFO' },
    start: 'snapshot',
    payload: 'Object',
    verify: true,
  });
  template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
    EventSourceArn: { 'Fn::GetAtt': [id, 'QueueArn'] },
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    BatchSize: 10,
  });
  // The resources that delete its queue must outlive the Subscription.
  const needed = ['AWS::Lambda::EventSourceMapping', 'AWS::ApiGateway::Deployment', 'AWS::DynamoDB::Table'];
  for (const type of needed) {
    const ours = Object.keys(template.findResources(type)).filter((one) => one.startsWith('Winnow'));
    expect(ours.length).toBeGreaterThan(0);
    for (const one of ours) expect(DependsOn).toContain(one);
  }
});

it('the function that creates Subscriptions may log in, and so may roles with grantAccess', async () => {
  const template = await templateOf((winnow, stack) => {
    winnow.subscribe('Frontends', FRONTENDS);
    winnow.subscribe('Others', FRONTENDS);
    winnow.grantAccess(new Role(stack, 'Reader', { assumedBy: new ServicePrincipal('ec2.amazonaws.com') }));
  });
  template.resourceCountIs('Custom::WinnowSubscription', 2);
  const roles = Object.keys(template.findResources('AWS::IAM::Role'));
  const [api] = roles.filter((id) => id.startsWith('WinnowSubscriptionsApiRole'));
  const [reader] = roles.filter((id) => id.startsWith('Reader'));
  template.hasResourceProperties('AWS::Lambda::Function', {
    Environment: {
      Variables: {
        WINNOW_PRINCIPALS: {
          'Fn::Join': [
            '',
            [`["${ADMIN}","`, { 'Fn::GetAtt': [api, 'Arn'] }, '","', { 'Fn::GetAtt': [reader, 'Arn'] }, '"]'],
          ],
        },
      },
    },
  });
});

it('A kind is a resource of the stack that stays, and its function may only write its log in AWS', async () => {
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'gates.fleet.example' },
    spec: { group: 'fleet.example' },
  };
  const template = await templateOf((winnow) => {
    expect(winnow.define('Gates', definition).definitionName).toBe('gates.fleet.example');
    expect(() => winnow.define('Wrong', { ...definition, kind: 'Pod' })).toThrow('Wrong: Pod of');
  });
  const kinds = Object.values(template.findResources('Custom::WinnowKind'));
  expect(kinds).toHaveLength(1);
  const [{ Properties, DeletionPolicy, UpdateReplacePolicy, DependsOn }] = kinds as [Record<string, unknown>];
  expect([DeletionPolicy, UpdateReplacePolicy]).toEqual(['Retain', 'Retain']);
  expect(JSON.parse((Properties as { readonly definition: string }).definition)).toEqual(definition);
  const api = Object.keys(template.findResources('AWS::ApiGateway::Deployment'));
  expect(DependsOn).toEqual(expect.arrayContaining(api));
  // All rights of the function: its role's own policies, and those attached to the role.
  const policies = Object.entries({
    ...template.findResources('AWS::IAM::Policy'),
    ...template.findResources('AWS::IAM::Role'),
  });
  const own = policies.filter(([id]) => id.startsWith('WinnowSubscriptionsApi'));
  expect(own.length).toBeGreaterThan(0);
  const actions = JSON.stringify(own).match(/"[a-z]+:[A-Za-z*]+"/g);
  expect([...new Set(actions)]).toEqual([
    '"logs:CreateLogStream"',
    '"logs:PutLogEvents"',
    '"sts:AssumeRole"',
  ]);
});

it('a role with grantRead is a member, with an AccessEntry and a binding of the stack', async () => {
  const template = await templateOf((winnow, stack) => {
    const consumer = functionIn(stack);
    winnow.grantRead(consumer, { namespace: 'shop' });
    winnow.grantRead(consumer, { namespace: 'shop' });
    winnow.grantWrite(consumer);
  });
  const roles = Object.keys(template.findResources('AWS::IAM::Role'));
  const [role] = roles.filter((id) => id.startsWith('Consumer'));
  template.hasResourceProperties('AWS::Lambda::Function', {
    Environment: {
      Variables: { WINNOW_MEMBERS: { 'Fn::Join': ['', ['["', { 'Fn::GetAtt': [role, 'Arn'] }, '"]']] } },
    },
  });
  const objects = Object.values(template.findResources('Custom::WinnowObject'));
  const paths = objects.map(({ Properties }) => String(Properties.path).replace(/[^/]+$/, '')).sort();
  expect(paths).toEqual([
    'apis/rbac.authorization.k8s.io/v1/clusterrolebindings/',
    'apis/rbac.authorization.k8s.io/v1/namespaces/shop/rolebindings/',
    'apis/winnow.dev/v1/accessentries/',
  ]);
  const texts = JSON.stringify(objects);
  expect(texts).toContain(`"Fn::GetAtt":["${role}","Arn"]`);
  for (const said of ['view', 'edit', 'cdk:Theirs/']) expect(texts).toContain(said);
  for (const { DependsOn } of objects) expect(DependsOn.join()).toContain('WinnowSubscriptions');
});

it('A consumer is granted its own queue and no other', async () => {
  const template = await templateOf((winnow, stack) => {
    const role = new Role(stack, 'Consumer', { assumedBy: new ServicePrincipal('ec2.amazonaws.com') });
    winnow.subscribe('Frontends', FRONTENDS).grantConsume(role);
  });
  const [id] = Object.keys(template.findResources('Custom::WinnowSubscription'));
  template.hasResourceProperties('AWS::IAM::Policy', {
    PolicyDocument: {
      Statement: [
        {
          Action: Match.arrayWith(['sqs:ReceiveMessage', 'sqs:DeleteMessage']),
          Effect: 'Allow',
          Resource: { 'Fn::GetAtt': [id, 'QueueArn'] },
        },
      ],
    },
  });
});

it('a change of an immutable field replaces the Subscription, and no other change does', async () => {
  const nameOf = async (props: Partial<SubscriptionProps>) =>
    nameIn(await templateOf((winnow) => void winnow.subscribe('Frontends', { ...FRONTENDS, ...props })));
  const name = await nameOf({});
  expect(name).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
  expect(await nameOf({ labelSelector: 'tier=backend', payload: 'Metadata' })).toBe(name);
  expect(await nameOf({ queue: 'Standard' })).not.toBe(name);
  expect(await nameOf({ start: 'now' })).not.toBe(name);
  expect(await nameOf({ verify: true })).not.toBe(name);
  expect(await nameOf({ verify: false })).toBe(name);
  expect(await nameOf({ name: 'mine', start: 'now' })).toBe('mine');
});

it('A handler that may run longer than the visibility timeout of a message is refused', async () => {
  const long = (winnow: Winnow, stack: Stack) =>
    void winnow.subscribe('Frontends', { ...FRONTENDS, handler: functionIn(stack, 31) });
  await expect(templateOf(long)).rejects.toThrow('has a timeout of 31 s');
});

it('A Subscription is refused for an emulator that does not call custom resources', async () => {
  const emulated = { emulator: 'localstack', stsEndpoint: 'http://127.0.0.1:4566' };
  const fill = (winnow: Winnow) => void winnow.subscribe('Frontends', FRONTENDS);
  await expect(templateOf(fill, emulated)).rejects.toThrow('Frontends: localstack has no custom resources');
});

it('a stack without a Subscription has no function that creates them', async () => {
  const template = await templateOf(() => {});
  expect(JSON.stringify(template.toJSON())).not.toContain('subscription-resource');
});

it('the construct throws a clear error without bundles', () => {
  const stack = new Stack(new App(), 'Theirs');
  expect(() => new Winnow(stack, 'Winnow', { principals: [ADMIN] })).toThrow(
    'only the published package contains the functions',
  );
});

it('the logical id of the table stays the same, so that no upgrade replaces the table', async () => {
  const { Resources } = await synthesized();
  const tables = Object.entries(Resources).filter(([, { Type }]) => Type === 'AWS::DynamoDB::Table');
  expect(tables.map(([id]) => id)).toEqual(['StorageSlotted3EB6A636']);
});

it('the construct uses an existing table by the ARN of its stream', async () => {
  const stream = 'arn:aws:dynamodb:eu-central-1:111122223333:table/Restored/stream/2026-11-22T12:00:00.000';
  const template = await templateOf(() => {}, { tableStream: stream });
  template.resourceCountIs('AWS::DynamoDB::Table', 0);
  template.hasResourceProperties('AWS::Lambda::EventSourceMapping', { EventSourceArn: stream });
  template.hasResourceProperties('AWS::Lambda::Function', {
    Environment: { Variables: Match.objectLike({ WINNOW_TABLE: 'Restored' }) },
  });
  template.hasOutput('*', { Value: 'Restored' });
  await expect(templateOf(() => {}, { tableStream: 'Restored' })).rejects.toThrow(
    "tableStream is Restored: it must be the ARN of a table's stream",
  );
});
