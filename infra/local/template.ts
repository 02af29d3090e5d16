import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { functionNames } from '../../lib/platform/index.ts';
import { hashFiles, root, writeWhole } from '../bundle/index.ts';
import type { WinnowStackProps } from '../stack.ts';

/** What `cdk synth` writes, as far as it is read here. */
export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
  readonly Metadata?: Readonly<Record<string, unknown>>;
}

export interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
  readonly Metadata?: Readonly<Record<string, unknown>>;
}

/** What Subscriptions and Tallies may ask for, as the settings of these names have it. */
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

/** What a deployer chooses; by default nothing but what is said of it here, and nobody is let in. */
export type TemplateOptions = Required<Pick<WinnowStackProps, 'bundles' | 'streaming'>> &
  Partial<
    Pick<
      WinnowStackProps,
      | 'auditPolicy'
      | 'auditQueue'
      | 'auditLogRetention'
      | 'auditLogKey'
      | 'authenticationConfig'
      | 'serviceAccountTokens'
      | 'canary'
      | 'watchesPerUser'
      | 'requestsPerUser'
      | 'authorNotSeenAfter'
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
      | 'emulator'
      | 'derived'
      | 'placement'
      | 'schedulerProfile'
      | 'serviceClusterIPRange'
      | keyof SubscribingOptions
    >
  >;

/** `cdk synth` validates what it writes; that takes seconds, and every build does it. */
export const QUICK = {
  analyticsReporting: false,
  builtinCloudFormationValidation: false,
  stackTraces: false,
  treeMetadata: false,
};

/** What the template is made of; not the bundles, whose hashes in it nothing here looks at. */
const INPUTS = [
  'infra/stack.ts',
  'infra/emulators.ts',
  'infra/billing.ts',
  'infra/log-retentions.ts',
  'infra/cdk/*.ts',
  'infra/concurrency/*.ts',
  'infra/constructs/*.ts',
  'infra/local/template.ts',
  'lib/guarded-settings/*.ts',
  'lib/kubernetes/audit/*.ts',
  'lib/login/*.ts',
  'lib/placement/*.ts',
  'lib/platform/*.ts',
  'package-lock.json',
];

/** The stack's template, the one that is deployed. Loading the CDK takes seconds, so it is kept in `dist/`. */
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

/** A directory with one for each function, in which nothing is. */
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
    const defaults = { prefix: 'winnow', principals: [], destroyable: false, dashboard: true };
    new WinnowStack(app, 'Winnow', { ...defaults, ...chosen });
    return app.synth().getStackByName('Winnow').template;
  } finally {
    await rm(outdir, { recursive: true, force: true });
  }
}
