import { CORE_SCHEMA, dump, load, YAMLException } from 'js-yaml';

/** Returns the YAML of a value, on lines of any length, with sorted keys if wanted. Absent fields are left out. */
export function yamlOf(value: unknown, { sorted = false } = {}): string {
  return dump(value, { lineWidth: -1, noRefs: true, skipInvalid: true, sortKeys: sorted });
}

/**
 * Reads one document of YAML or JSON.
 *
 * @throws {Error} the text is no YAML, with the line and the column of the fault
 */
export function readYaml(text: string): unknown {
  try {
    return load(text, { schema: CORE_SCHEMA });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { reason, mark } = error;
    const place = mark ? `Line ${mark.line + 1}, column ${mark.column + 1}: ` : '';
    throw new Error(`${place}${reason}`);
  }
}
