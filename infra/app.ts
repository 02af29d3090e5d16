/** The CDK app for `cdk synth` and `cdk deploy`. docs/deploy/README.md describes its settings. */
import { Annotations, App } from 'aws-cdk-lib';
import { bundleFunctions } from './bundle/index.ts';
import { findDeployer } from './deployer.ts';
import { readProps } from './read-props.ts';
import {
  chosenSettings,
  overridesOf,
  readConfigFile,
  readSettings,
  SETTINGS_METADATA,
  unknownSettings,
} from './settings/index.ts';
import { WinnowStack } from './stack.ts';

// The CDK's own validation takes longer than the rest of the synthesis, so
// test/unit/infra/cloudformation.long.test.ts does it.
const app = new App({ analyticsReporting: false, builtinCloudFormationValidation: false });
const file = await readConfigFile(readSettings(app.node).configFile);
const settings = readSettings(app.node, file);
const [{ directory: bundles }, deployer] = await Promise.all([
  bundleFunctions(),
  settings.principals === undefined ? findDeployer() : undefined,
]);

const props = await readProps(settings, deployer);
const stack = new WinnowStack(app, settings.stackName, { ...props, bundles });
// The metadata for `winnow init --from-stack`. It names the administrators, because another principal may deploy
// next.
stack.addMetadata(SETTINGS_METADATA, { ...chosenSettings(settings), principals: props.principals });
for (const said of overridesOf(app.node, file)) Annotations.of(stack).addInfo(said);
for (const said of unknownSettings(app.node)) Annotations.of(stack).addWarningV2('winnow:context', said);
app.synth();
