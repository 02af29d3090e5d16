import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { GetFunctionConfigurationCommand, LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { gapsOf } from '../../../infra/emulators.ts';
import { ENVIRONMENT } from '../../../lib/platform/index.ts';
import { deployerOf } from '../deployer-of.ts';
import type { Step, TrialOptions } from '../trial.ts';

const POLICY = { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'Metadata' }] };

/** A deployment that has settings which the next one leaves out. */
export const refuseLosses: Step = {
  name: 'cdk deploy with settings left out',
  run: async ({ deployment, options }) => {
    const { cdk, target, directory } = options;
    if (gapsOf(target.emulator)['custom-resources'] !== undefined) return 'no custom resources: not tried';
    const deployer = await deployerOf(options);
    const other = deployer.replace(/:[^:]+$/, ':user/winnow-test-other');
    const auditPolicy = join(directory, 'audit-policy.json');
    await writeFile(auditPolicy, JSON.stringify(POLICY));
    await cdk.deploy([`principals=${deployer},${other}`, `auditPolicy=${auditPolicy}`]);
    const before = await settingsOf(options);
    assert.deepEqual(before.principals, [JSON.stringify([deployer, other])]);
    assert.equal(before.policies.length, 1);

    const refused = await cdk.deploy([`principals=${other}`]).then(
      () => assert.fail('a deployment removed an administrator and the audit policy'),
      (error: Error) => error.message,
    );
    assert.match(refused, /confirmChange=principals,auditPolicy /);
    assert(refused.includes(`${deployer} would no longer be an administrator`), refused);
    assert.deepEqual(await settingsOf(options), before);
    assert.equal(await statusOf(options), 'UPDATE_ROLLBACK_COMPLETE');

    await cdk.deploy(['confirmChange=principals,auditPolicy']);
    const { principals, policies } = await settingsOf(options);
    assert.deepEqual([principals, policies], [[JSON.stringify([deployer])], []]);
    await deployment.terminal.run('kubectl get pods -o name');
    return 'it failed and changed nothing; after it was confirmed it passed';
  },
};

/** What the functions of the stack know of administrators and of audit: each value once. */
async function settingsOf({ target, stackName }: TrialOptions) {
  const lambda = new LambdaClient(target.client);
  const { Functions = [] } = await lambda.send(new ListFunctionsCommand({ MaxItems: 50 }));
  const names = Functions.map(({ FunctionName = '' }) => FunctionName);
  const ours = names.filter((name) => name.startsWith(`${stackName}-`));
  assert(ours.length > 7, `functions of the stack: ${ours}`);
  const variables = await Promise.all(
    ours.map(async (FunctionName) => {
      const { Environment } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
      return Environment?.Variables ?? {};
    }),
  );
  const valuesOf = (name: string) => [...new Set(variables.flatMap((each) => each[name] ?? []))];
  return { principals: valuesOf(ENVIRONMENT.principals), policies: valuesOf(ENVIRONMENT.auditPolicy) };
}

async function statusOf({ target, stackName: StackName }: TrialOptions): Promise<string | undefined> {
  const client = new CloudFormationClient(target.client);
  const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName }));
  return stack?.StackStatus;
}
