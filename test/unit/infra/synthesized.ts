import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  loadTemplate,
  type Resource,
  type Template,
  type TemplateOptions,
} from '../../../infra/local/template.ts';
import { ENTRY_POINT_METADATA, functionNames } from '../../../lib/platform/function-names.ts';

/** The stack's template. Its code is a stand-in, because nothing in the template depends on it. */
export async function synthesized(chosen: Partial<TemplateOptions> = {}): Promise<Template> {
  return withBundles((bundles) => loadTemplate({ bundles, streaming: true, ...chosen }));
}

/** Provides a directory with an empty bundle for every function. */
export async function withBundles<Result>(use: (bundles: string) => Promise<Result>): Promise<Result> {
  const bundles = await mkdtemp(join(tmpdir(), 'winnow-bundles-'));
  try {
    for (const name of functionNames) {
      await mkdir(join(bundles, name));
      await writeFile(join(bundles, name, 'index.mjs'), 'export const handler = async () => {};');
    }
    return await use(bundles);
  } finally {
    await rm(bundles, { recursive: true });
  }
}

/** The entry points of all its functions. */
export function functionsOf(template: Template): string[] {
  return resources(template, 'AWS::Lambda::Function').map(([, { Metadata }]) =>
    String(Metadata?.[ENTRY_POINT_METADATA]),
  );
}

/** The logical id and properties of the function that runs an entry point. */
export function functionOf(template: Template, name: string): [string, Properties] {
  const found = resources(template, 'AWS::Lambda::Function').find(
    ([, { Metadata }]) => Metadata?.[ENTRY_POINT_METADATA] === name,
  );
  if (!found) throw new Error(`the template has no function ${name}`);
  return [found[0], found[1].Properties ?? {}];
}

export interface Statement {
  readonly Sid?: string;
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

/** Every statement of a function's role, in the order of the template. */
export function statementsOf(template: Template, name: string): Statement[] {
  const role = functionOf(template, name)[1].Role['Fn::GetAtt'][0];
  // The CDK moves what exceeds the 10,240 characters of a role's inline policies into a managed policy.
  return ['AWS::IAM::Policy', 'AWS::IAM::ManagedPolicy']
    .flatMap((type) => properties(template, type))
    .filter(({ Roles }) => Roles?.some(({ Ref }: { Ref: string }) => Ref === role))
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

/** The resources of one type with their logical ids. */
export function resources(template: Template, type: string): [string, Resource][] {
  return Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);
}

// biome-ignore lint/suspicious/noExplicitAny: a template is JSON whose shape is what the tests are about
export type Properties = Record<string, any>;

export function properties(template: Template, type: string): Properties[] {
  return resources(template, type).map(([, resource]) => resource.Properties ?? {});
}
