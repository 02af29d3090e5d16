/**
 * The CDK app: `cdk synth`, `cdk deploy`. Context, all optional:
 * - `stackName` (`Winnow`): several stacks can live in one account and region;
 * - `prefix` (the stack's name in lower case): queues of subscriptions are named `<prefix>-subscription-…`;
 * - `principals` (whoever deploys): ARNs of the users and roles that are let in, with commas between;
 * - `streaming` (`true`): `false` where the front door cannot stream, a watch then is a long poll;
 * - `destroyable` (`false`): `true` lets `cdk destroy` delete the table and what is in it;
 * - `dashboard` (`true`): `false` for a stack without a CloudWatch dashboard;
 * - `logLevel` (`INFO`): `DEBUG`, `WARN`, …: from which level on the functions log;
 * - `emulator`: `ministack` or `localstack`, to leave out what that cannot do (`emulators.ts`). Never on AWS;
 * - `stsEndpoint`: an emulator's STS on loopback, where the stack is not deployed to AWS.
 */

import { App } from 'aws-cdk-lib';
import { bundleFunctions } from './bundle/index.ts';
import { findDeployer } from './deployer.ts';
import { gapsOf } from './emulators.ts';
import { readSettings } from './settings.ts';
import { WinnowStack } from './stack.ts';

// The CDK's check of the template takes longer than all the rest: test/unit/infra/cloudformation.test.ts does it.
const app = new App({ analyticsReporting: false, builtinCloudFormationValidation: false });
const { stackName, principals, emulator, ...settings } = readSettings(app.node);
const [{ directory: bundles }, deployer] = await Promise.all([
  bundleFunctions(),
  principals === undefined ? findDeployer() : undefined,
]);

new WinnowStack(app, stackName, {
  ...settings,
  bundles,
  gaps: gapsOf(emulator),
  principals: principals ?? (deployer === undefined ? [] : [deployer]),
});
app.synth();
