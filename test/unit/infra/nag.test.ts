import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { App, type Stack, Validations } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { AwsSolutionsChecks } from 'cdk-nag';
import { WinnowStack } from '../../../infra/stack.ts';
import { withBundles } from './synthesized.ts';

/** Without what does not concern the findings. */
const QUICK = {
  analyticsReporting: false,
  builtinCloudFormationValidation: false,
  stackTraces: false,
  treeMetadata: false,
};

/** What cdk-nag's AwsSolutions pack finds in the stack and is not acknowledged: `<rule> <construct>`. */
async function findings(change: (stack: Stack) => void = () => {}): Promise<string[]> {
  const outdir = await mkdtemp(join(tmpdir(), 'winnow-nag-'));
  try {
    return await withBundles(async (bundles) => {
      const app = new App({ outdir, ...QUICK });
      const principals = ['arn:aws:iam::111122223333:role/Admin'];
      const settings = { prefix: 'winnow', streaming: true, destroyable: false, dashboard: true };
      change(new WinnowStack(app, 'Winnow', { bundles, principals, ...settings }));
      const checks = new AwsSolutionsChecks(app);
      Validations.of(app).addPlugins(checks);
      return synthesize(app, outdir);
    });
  } finally {
    await rm(outdir, { recursive: true });
  }
}

interface Report {
  readonly pluginReports: readonly {
    readonly violations: readonly {
      readonly ruleName: string;
      readonly violatingConstructs: readonly { readonly constructPath: string }[];
    }[];
  }[];
}

/** A synthesis with findings throws and leaves a report, one without leaves an empty one. */
async function synthesize(app: App, outdir: string): Promise<string[]> {
  try {
    app.synth();
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('validation-report.json'))) throw error;
  }
  const report: Report = JSON.parse(await readFile(join(outdir, 'validation-report.json'), 'utf8'));
  return report.pluginReports.flatMap(({ violations }) =>
    violations.flatMap(({ ruleName, violatingConstructs }) =>
      violatingConstructs.map(({ constructPath }) => `${ruleName} ${constructPath}`),
    ),
  );
}

it('cdk-nag finds nothing in the stack that is not acknowledged with its reason', async () => {
  await expect(findings()).resolves.toEqual([]);
}, 120_000);

it('cdk-nag would find a queue without dead letters, sent to in plain text', async () => {
  const found = await findings((stack) => new Queue(stack, 'Careless'));
  expect(found.sort()).toEqual([
    'AwsSolutions-SQS3 Winnow/Careless/Resource',
    'AwsSolutions-SQS4 Winnow/Careless/Resource',
  ]);
}, 120_000);
