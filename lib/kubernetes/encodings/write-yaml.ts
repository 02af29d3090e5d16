import type { JsonValue } from '../../json/index.ts';

/** Formats a JSON value as YAML in Kubernetes' style. The formatter is loaded on first use. */
export async function writeYaml(value: JsonValue): Promise<string> {
  const { stringifyYaml } = await import('./stringify-yaml.ts');
  return stringifyYaml(value);
}
