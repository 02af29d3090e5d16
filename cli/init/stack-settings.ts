import { SETTINGS_METADATA } from '../../infra/settings/index.ts';
import { askAws } from '../ask-aws.ts';

interface Template {
  readonly Metadata?: Readonly<Record<string, unknown>>;
}

/**
 * The settings of a deployed stack, in the form of a settings file.
 *
 * @throws {Error} there is no such stack, or it stores no settings
 */
export async function stackSettings(stack: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await askAws(['cloudformation', 'get-template', '--stack-name', stack]);
  const { TemplateBody }: { readonly TemplateBody: Template | string } = JSON.parse(text);
  const template: Template = typeof TemplateBody === 'string' ? JSON.parse(TemplateBody) : TemplateBody;
  const { [SETTINGS_METADATA]: settings } = template.Metadata ?? {};
  if (typeof settings === 'object' && settings !== null) return { stackName: stack, ...settings };
  throw new Error(
    `the stack ${stack} stores no settings: an older release or another app deployed it. ` +
      'Run "winnow init", and copy the -c options of "cdk deploy" into winnow.config.json',
  );
}
