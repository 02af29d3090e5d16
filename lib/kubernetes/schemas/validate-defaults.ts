import type { JsonValue } from '../../json/index.ts';
import type { FieldError } from '../../selectors/index.ts';
import { child, invalid, key } from '../field-errors/index.ts';
import { type CheckMetadata, embeddedErrors } from './embedded-resources.ts';
import type { Patterns } from './patterns.ts';
import { sameValue } from './same-value.ts';
import { defaultOf, itemsOf, propertiesOf, type Schema } from './schema.ts';
import { shapeDefault } from './shape-value.ts';
import { validateValue } from './validate-value.ts';

/** The functions for checks of defaults that the schema does not provide. */
export interface DefaultChecks {
  readonly patterns: Patterns;
  readonly checkMetadata: CheckMetadata;
  /** Returns the violations of the rules at a schema and below it. */
  readonly ruleErrors: (schema: Schema, value: JsonValue, path: string) => FieldError[];
}

/**
 * Returns the errors in the defaults of a structural schema. Each default must fit its own schema and contain no
 * unknown fields (pkg/apiserver/schema/defaulting, ValidateDefaults). Another check refuses defaults in the object's
 * own metadata.
 */
export function defaultErrors(schema: Schema, path: string, checks: DefaultChecks): FieldError[] {
  const items = itemsOf(schema);
  const own = defaultOf(schema);
  return [
    ...(own === undefined ? [] : ownErrors(schema, own, child(path, 'default'), checks)),
    ...(items === undefined ? [] : defaultErrors(items, child(path, 'items'), checks)),
    ...[...propertiesOf(schema)].flatMap(([name, property]) =>
      defaultErrors(property, key(child(path, 'properties'), name), checks),
    ),
  ];
}

function ownErrors(schema: Schema, value: JsonValue, path: string, checks: DefaultChecks): FieldError[] {
  const { patterns, checkMetadata, ruleErrors } = checks;
  const unknown = sameValue(shapeDefault(schema, value), value)
    ? []
    : [invalid(path, value, 'must not have unknown fields')];
  const embedded = embeddedErrors(schema, value, path, checkMetadata);
  if (embedded.length > 0) return [...unknown, ...embedded];
  const { errors } = validateValue({ schema, value, prefix: path, patterns });
  return [...unknown, ...(errors.length > 0 ? errors : ruleErrors(schema, value, path))];
}
