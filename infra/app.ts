/** The CDK app: `cdk synth`, `cdk deploy`. docs/deploy/README.md has what a deployer can choose. */
import { Annotations, App } from 'aws-cdk-lib';
import { bundleFunctions } from './bundle/index.ts';
import { findDeployer } from './deployer.ts';
import { readProps } from './read-props.ts';
import { readSettings, unknownSettings } from './settings/index.ts';
import { WinnowStack } from './stack.ts';

// The CDK's check of the template takes longer than all the rest: test/unit/infra/cloudformation.long.test.ts does it.
const app = new App({ analyticsReporting: false, builtinCloudFormationValidation: false });
const settings = readSettings(app.node);
const [{ directory: bundles }, deployer] = await Promise.all([
  bundleFunctions(),
  settings.principals === undefined ? findDeployer() : undefined,
]);

const props = await readProps(settings, deployer);
const stack = new WinnowStack(app, settings.stackName, { ...props, bundles });
for (const name of unknownSettings(app.node)) {
  Annotations.of(stack).addWarningV2('winnow:context', `there is no setting ${name}: it chooses nothing`);
}
app.synth();
