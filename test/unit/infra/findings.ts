import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type Stack, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { WinnowStack, type WinnowStackProps } from '../../../infra/stack.ts';
import { withBundles } from './synthesized.ts';

export interface FindingsOptions {
  /** cdk-nag's AwsSolutions pack, or the CDK's own check of templates against CloudFormation's schemas. */
  readonly by: 'cdk-nag' | 'CloudFormation';
  readonly chosen?: Partial<WinnowStackProps>;
  /** Adds constructs to the stack. */
  readonly change?: (stack: Stack) => void;
}

/** The context that makes findings errors instead of warnings. */
const STRICT = { '@aws-cdk/core:validateAgainstDefaultRules': true };

/** Returns the findings in the stack that are not acknowledged, each as `<rule> <construct>`. */
export async function findings({ by, chosen, change }: FindingsOptions): Promise<string[]> {
  const outdir = await mkdtemp(join(tmpdir(), 'winnow-findings-'));
  try {
    return await withBundles(async (bundles) => {
      const quick = { analyticsReporting: false, stackTraces: false, treeMetadata: false };
      const builtinCloudFormationValidation = by === 'CloudFormation';
      const app = new App({ outdir, ...quick, builtinCloudFormationValidation, context: STRICT });
      const principals = ['arn:aws:iam::111122223333:role/Admin'];
      const settings = { prefix: 'winnow', streaming: true, destroyable: false, dashboard: true };
      const stack = new WinnowStack(app, 'Winnow', { bundles, principals, ...settings, ...chosen });
      change?.(stack);
      if (by === 'cdk-nag') Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
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

/** Synthesizes the app and reads its report. A synthesis with findings throws, and one without has an empty report. */
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
