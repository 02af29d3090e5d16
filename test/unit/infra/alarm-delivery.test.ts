import { beforeAll, describe, expect, it } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';
import { Template as Synthesized } from 'aws-cdk-lib/assertions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic, type TopicProps } from 'aws-cdk-lib/aws-sns';
import { QUICK, type Template } from '../../../infra/local/template.ts';
import { BY_CLOUDWATCH, refusals } from './alarm-delivery.ts';
import { properties, resources, synthesized } from './synthesized.ts';

let template: Template;
let actions: readonly unknown[];
beforeAll(async () => {
  template = await synthesized();
  actions = properties(template, 'AWS::CloudWatch::Alarm').flatMap(
    ({ AlarmActions = [], OKActions = [], InsufficientDataActions = [] }) => [
      ...AlarmActions,
      ...OKActions,
      ...InsufficientDataActions,
    ],
  );
});

describe("the alarm topic's policy", () => {
  it("the topic's policy lets CloudWatch publish every alarm in any state", () => {
    const alarms = resources(template, 'AWS::CloudWatch::Alarm').length;
    expect(actions.length).toBeGreaterThanOrEqual(2 * alarms);
    expect(actions.flatMap((action) => refusals(template, action))).toEqual([]);
  });

  it.each([
    ['in plain text', { context: { ...BY_CLOUDWATCH.context, 'aws:SecureTransport': ['false'] } }],
    ['for another account', { context: { ...BY_CLOUDWATCH.context, 'aws:SourceAccount': ['another'] } }],
    ['for nobody', { context: { 'aws:SecureTransport': ['true'] } }],
    ['as another service', { principal: { type: 'Service', name: 's3.amazonaws.com' } as const }],
    ['as another account', { principal: { type: 'AWS', name: 'arn:aws:iam::another:root' } as const }],
  ])("the topic's policy refuses a message %s", (_how, changed) => {
    const refused = refusals(template, actions[0], { ...BY_CLOUDWATCH, ...changed });
    expect(refused).toEqual(['sns:Publish on AlarmsTopic']);
  });
});

describe('refusals', () => {
  it('refusals finds a topic whose policy only denies, which replaces the default policy', () => {
    expect(refusalsOf(() => ({ enforceSSL: true }))).toEqual(['sns:Publish on Topic']);
  });

  it('refusals finds an encrypted topic whose key does not allow CloudWatch', () => {
    const kms = ['kms:Decrypt on Key', 'kms:GenerateDataKey on Key'];
    expect(refusalsOf((stack) => ({ masterKey: new Key(stack, 'Key') }), letIn)).toEqual(kms);
  });

  it('refusals finds nothing if policy and key both allow CloudWatch', () => {
    const masterKey = (stack: Stack) => {
      const key = new Key(stack, 'Key');
      const actions = ['kms:Decrypt', 'kms:GenerateDataKey*'];
      key.addToResourcePolicy(new PolicyStatement({ actions, principals, resources: ['*'] }));
      return { masterKey: key };
    };
    expect(refusalsOf(masterKey, letIn)).toEqual([]);
  });
});

const principals = [new ServicePrincipal('cloudwatch.amazonaws.com')];

function letIn(topic: Topic): void {
  const actions = ['sns:Publish'];
  topic.addToResourcePolicy(new PolicyStatement({ actions, principals, resources: [topic.topicArn] }));
}

/** The refusals of a topic with these properties, in its own stack. */
function refusalsOf(make: (stack: Stack) => TopicProps, change: (topic: Topic) => void = () => {}): string[] {
  const stack = new Stack(new App(QUICK));
  const topic = new Topic(stack, 'Topic', make(stack));
  change(topic);
  return refusals(Synthesized.fromStack(stack).toJSON() as Template, stack.resolve(topic.topicArn));
}
