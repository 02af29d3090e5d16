/** The CDK app: `cdk synth`, `cdk deploy`. What can be chosen, by context, is in docs/deploy/README.md. */
import { Annotations, App } from 'aws-cdk-lib';
import { bundleFunctions } from './bundle/index.ts';
import { findDeployer } from './deployer.ts';
import { readAuditPolicy } from './read-audit-policy.ts';
import { readAuthenticationConfig } from './read-authentication-config.ts';
import { readSchedulerProfile } from './read-scheduler-profile.ts';
import { readSettings, unknownSettings } from './settings.ts';
import { WinnowStack } from './stack.ts';

// The CDK's check of the template takes longer than all the rest: test/unit/infra/cloudformation.long.test.ts does it.
const app = new App({ analyticsReporting: false, builtinCloudFormationValidation: false });
const { stackName, principals, auditPolicy, authenticationConfig, ...chosen } = readSettings(app.node);
const { addedAffinity, hardPodAffinityWeight, ...settings } = chosen;
const [{ directory: bundles }, deployer] = await Promise.all([
  bundleFunctions(),
  principals === undefined ? findDeployer() : undefined,
]);

const stack = new WinnowStack(app, stackName, {
  ...settings,
  bundles,
  auditPolicy: auditPolicy === undefined ? undefined : await readAuditPolicy(auditPolicy),
  authenticationConfig:
    authenticationConfig === undefined ? undefined : await readAuthenticationConfig(authenticationConfig),
  schedulerProfile: await readSchedulerProfile({ addedAffinity, hardPodAffinityWeight }),
  principals: principals ?? (deployer === undefined ? [] : [deployer]),
});
for (const name of unknownSettings(app.node)) {
  Annotations.of(stack).addWarningV2('winnow:context', `there is no setting ${name}: it chooses nothing`);
}
app.synth();
