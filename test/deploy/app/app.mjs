// Somebody's own CDK app, copied to a folder outside this repository where @winnow-dev/cdk is installed.
import { Winnow } from '@winnow-dev/cdk';
import { App, CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';

const HANDLER = `exports.handler = async ({ Records }) => {
  for (const { body } of Records) console.log('handed', JSON.parse(body).object.metadata.name);
};`;

const app = new App({ analyticsReporting: false });
const chosen = (name) => app.node.tryGetContext(name);
const stack = new Stack(app, chosen('stackName'));
const winnow = new Winnow(stack, 'Winnow', {
  principals: [chosen('principal')],
  prefix: chosen('stackName').toLowerCase().slice(-24),
  emulator: chosen('emulator'),
  stsEndpoint: chosen('stsEndpoint'),
  destroyable: true,
  dashboard: false,
});
new CfnOutput(stack, 'ApiUrl', { value: winnow.url });
new CfnOutput(stack, 'ClusterId', { value: winnow.clusterId });
new CfnOutput(stack, 'TokenCommand', { value: `aws --region ${stack.region} eks get-token` });
if (chosen('labelSelector')) subscribe();

function subscribe() {
  const handler = new LambdaFunction(stack, 'Consumer', {
    runtime: Runtime.NODEJS_24_X,
    code: Code.fromInline(HANDLER),
    handler: 'index.handler',
    timeout: Duration.seconds(10),
  });
  const subscription = winnow.subscribe('North', {
    resource: { resource: 'configmaps' },
    labelSelector: chosen('labelSelector'),
    name: 'north',
    handler,
  });
  new CfnOutput(stack, 'QueueUrl', { value: subscription.queueUrl });
  winnow.subscribe('Everywhere', {
    resource: { resource: 'configmaps' },
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } },
    verify: true,
    name: 'everywhere',
  });
}
