import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { functionNames } from '../../lib/platform/index.ts';
import { hashFiles, root, writeWhole } from '../bundle/index.ts';
import type { WinnowStackProps } from '../stack.ts';

/** The parts of a CloudFormation template that infra/local reads. */
export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Metadata?: Readonly<Record<string, unknown>>;
}

export interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly Metadata?: Readonly<Record<string, unknown>>;
}

/** The rules for Subscriptions and Tallies, like the settings of these names. */
export type SubscribingOptions = Partial<
  Pick<
    WinnowStackProps,
    | 'consumers'
    | 'enforceLimits'
    | 'selectorBytes'
    | 'selectorBytesPerNamespace'
    | 'selectorBytesPerCollection'
    | 'subscriptionsPerNamespace'
    | 'talliesPerNamespace'
  >
>;

/** The props of the stack. An optional prop has the stack's default. Without `principals`, no login succeeds. */
export type TemplateOptions = Required<Pick<WinnowStackProps, 'bundles' | 'streaming'>> &
  Partial<
    Pick<
      WinnowStackProps,
      | 'auditPolicy'
      | 'webhooks'
      | 'auditQueue'
      | 'auditLogRetention'
      | 'auditLogKey'
      | 'authenticationConfig'
      | 'serviceAccountAdmission'
      | 'serviceAccountTokens'
      | 'canary'
      | 'watchesPerUser'
      | 'requestsPerUser'
      | 'authorNotSeenAfter'
      | 'historyDays'
      | 'requestRate'
      | 'requestBurst'
      | 'vpcEndpoints'
      | 'allowedSources'
      | 'webAcl'
      | 'reservedConcurrency'
      | 'prefix'
      | 'principals'
      | 'members'
      | 'stsEndpoint'
      | 'destroyable'
      | 'key'
      | 'dashboard'
      | 'provisioned'
      | 'warmWriteUnits'
      | 'emulator'
      | 'derived'
      | 'placement'
      | 'schedulerProfile'
      | 'serviceClusterIPRange'
      | keyof SubscribingOptions
    >
  >;

/** Options that skip the validation of `cdk synth`, because it takes seconds. Every build validates the template. */
export const QUICK = {
  analyticsReporting: false,
  builtinCloudFormationValidation: false,
  stackTraces: false,
  treeMetadata: false,
};

/** The files that determine the template, except the bundles: infra/local does not read their hashes. */
const INPUTS = [
  'infra/stack.ts',
  'infra/emulators.ts',
  'infra/billing.ts',
  'infra/log-retentions.ts',
  'infra/cdk/*.ts',
  'infra/concurrency/*.ts',
  'infra/constructs/*.ts',
  'infra/constructs/*/*.ts',
  'infra/local/template.ts',
  'lib/guarded-settings/*.ts',
  'lib/kubernetes/audit/*.ts',
  'lib/login/*.ts',
  'lib/placement/profile/*.ts',
  'lib/platform/*.ts',
  'package-lock.json',
];

/** Loads the template that is deployed. It is cached in `dist/`, because loading the CDK takes seconds. */
export async function loadTemplate(options: TemplateOptions): Promise<Template> {
  const { bundles: _bundles, ...chosen } = options;
  const inputs = await hashFiles(INPUTS);
  const digest = createHash('sha256').update(JSON.stringify(chosen)).digest('hex').slice(0, 12);
  const cache = join(root, 'dist', 'local', `template-${digest}.json`);
  const kept = await readFile(cache, 'utf8').then(JSON.parse, () => undefined);
  if (kept?.inputs === inputs) return kept.template;
  const template = await synthesize(options);
  await writeWhole(cache, JSON.stringify({ inputs, template }));
  return template;
}

/** Creates a folder with an empty subfolder per function, and returns its path. */
export async function standIns(): Promise<string> {
  const directory = join(root, 'dist', 'local', 'stand-ins');
  for (const name of functionNames) await mkdir(join(directory, name), { recursive: true });
  return directory;
}

async function synthesize(chosen: TemplateOptions): Promise<Template> {
  const [{ App }, { WinnowStack }] = await Promise.all([import('aws-cdk-lib'), import('../stack.ts')]);
  const outdir = await mkdtemp(join(tmpdir(), 'winnow-synth-'));
  try {
    const app = new App({ outdir, ...QUICK });
    const defaults = { prefix: 'winnow', principals: [], destroyable: false };
    new WinnowStack(app, 'Winnow', { ...defaults, ...chosen });
    return app.synth().getStackByName('Winnow').template;
  } finally {
    await rm(outdir, { recursive: true, force: true });
  }
}
