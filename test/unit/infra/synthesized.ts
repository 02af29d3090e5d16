import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { functionNames } from '../../../infra/function-names.ts';
import {
  loadTemplate,
  type Resource,
  type Template,
  type TemplateOptions,
} from '../../../infra/local/template.ts';

/** The stack's template. The code in it is a stand-in: nothing in the template depends on it. */
export async function synthesized(
  options: Omit<TemplateOptions, 'bundles'> = { streaming: true },
): Promise<Template> {
  const bundles = await mkdtemp(join(tmpdir(), 'winnow-bundles-'));
  try {
    for (const name of functionNames) {
      await mkdir(join(bundles, name));
      await writeFile(join(bundles, name, 'index.mjs'), 'export const handler = async () => {};');
    }
    return await loadTemplate({ bundles, ...options });
  } finally {
    await rm(bundles, { recursive: true });
  }
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
