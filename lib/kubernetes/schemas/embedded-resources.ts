import { isJsonObject, type JsonObject, type JsonValue } from '../../json/index.ts';
import { dns1035LabelErrors, type FieldError } from '../../selectors/index.ts';
import { child, index, invalid, key, required } from '../field-errors/index.ts';
import { additionalOf, itemsOf, propertiesOf, type Schema } from './schema.ts';

/** Returns the errors in the metadata of a resource at a path. */
export type CheckMetadata = (metadata: JsonValue, path: string) => FieldError[];

/**
 * Returns the errors in apiVersion, kind and metadata of the resources that an object embeds
 * (pkg/apiserver/schema/objectmeta, Validate).
 */
export function embeddedErrors(
  schema: Schema,
  value: JsonValue,
  path: string,
  checkMetadata: CheckMetadata,
): FieldError[] {
  const into = (own: Schema | undefined, member: JsonValue, at: string) =>
    own === undefined ? [] : embeddedErrors(own, member, at, checkMetadata);
  if (Array.isArray(value)) {
    return value.flatMap((member, at) => into(itemsOf(schema), member, index(path, at)));
  }
  if (!isJsonObject(value)) return [];
  const properties = propertiesOf(schema);
  const own =
    schema['x-kubernetes-embedded-resource'] === true ? resourceErrors(value, path, checkMetadata) : [];
  const members = Object.entries(value).flatMap(([name, member]) =>
    properties.has(name)
      ? into(properties.get(name), member, child(path, name))
      : into(additionalOf(schema), member, key(path, name)),
  );
  return [...own, ...members];
}

/** Whether objects of a schema may embed resources. */
export function embedsResources(schema: Schema): boolean {
  const items = itemsOf(schema);
  const additional = additionalOf(schema);
  return (
    schema['x-kubernetes-embedded-resource'] === true ||
    [...propertiesOf(schema).values()].some(embedsResources) ||
    (items !== undefined && embedsResources(items)) ||
    (additional !== undefined && embedsResources(additional))
  );
}

function resourceErrors(value: JsonObject, path: string, checkMetadata: CheckMetadata): FieldError[] {
  const { apiVersion, kind, metadata } = value;
  return [
    ...textErrors(apiVersion, child(path, 'apiVersion'), (text) =>
      /^([^/]+\/)?[^/]+$/.test(text) ? [] : [`unexpected GroupVersion string: ${text}`],
    ),
    ...textErrors(kind, child(path, 'kind'), (text) => {
      const errors = dns1035LabelErrors(text.toLowerCase());
      return errors.length === 0
        ? []
        : [`may have mixed case, but should otherwise match: ${errors.join(',')}`];
    }),
    ...(metadata === undefined ? [] : checkMetadata(metadata, child(path, 'metadata'))),
  ];
}

function textErrors(
  value: JsonValue | undefined,
  path: string,
  detailsOf: (text: string) => string[],
): FieldError[] {
  if (value === undefined) return [required(path, 'must not be empty')];
  if (typeof value !== 'string') return [invalid(path, value, 'must be a string')];
  const details = value === '' ? ['must not be empty'] : detailsOf(value);
  return details.map((detail) => invalid(path, value, detail));
}
