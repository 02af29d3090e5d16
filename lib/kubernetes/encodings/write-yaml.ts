import type { JsonValue } from '../../json/index.ts';

/** A JSON value as YAML, in the style of Kubernetes. What writes it is loaded when first needed. */
export async function writeYaml(value: JsonValue): Promise<string> {
  const { stringifyYaml } = await import('./stringify-yaml.ts');
  return stringifyYaml(value);
}
