import type { Setting } from './setting.ts';
import { SETTINGS } from './table.ts';

/** The JSON schema of a settings file, with which editors complete and check it. */
export function settingsSchema(): Readonly<Record<string, unknown>> {
  const inFile = Object.entries<Setting<unknown>>(SETTINGS).filter(([, { onlyContext }]) => !onlyContext);
  const properties = inFile.map(([name, { description, schema, fallback }]) => {
    const usual = typeof fallback === 'object' ? undefined : fallback;
    return [name, { description, ...schema, ...(usual !== undefined && { default: usual }) }];
  });
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Settings of a Winnow stack',
    type: 'object',
    additionalProperties: false,
    properties: { $schema: { type: 'string' }, ...Object.fromEntries(properties) },
  };
}
