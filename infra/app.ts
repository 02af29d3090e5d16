/**
 * The CDK app: `cdk synth`, `cdk deploy`. Context, all optional:
 * - `stackName` (`Winnow`): several stacks can live in one account and region;
 * - `prefix` (the stack's name in lower case): queues of subscriptions are named `<prefix>-subscription-…`;
 * - `streaming` (`true`): `false` where the front door cannot stream, a watch then is a long poll;
 * - `logLevel` (`INFO`): `DEBUG`, `WARN`, …: from which level on the functions log;
 * - `emulator`: `ministack` or `localstack`, to leave out what that cannot do (`emulators.ts`). Never on AWS.
 */
import { App } from 'aws-cdk-lib';
import { bundleFunctions } from './bundle/bundle-functions.ts';
import { gapsOf } from './emulators.ts';
import { WinnowStack } from './stack.ts';

const app = new App({ analyticsReporting: false });
const stackName: string = app.node.tryGetContext('stackName') ?? 'Winnow';
const gaps = gapsOf(app.node.tryGetContext('emulator'));
const { directory } = await bundleFunctions();

new WinnowStack(app, stackName, {
  bundles: directory,
  prefix: app.node.tryGetContext('prefix') ?? stackName.toLowerCase(),
  streaming: String(app.node.tryGetContext('streaming') ?? true) !== 'false',
  gaps,
});
app.synth();
