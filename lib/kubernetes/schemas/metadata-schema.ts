import type { FieldError } from '../../selectors/index.ts';
import { child, forbidden, invalid, key, required } from '../field-errors/index.ts';
import { isZero, propertiesOf, type Schema } from './schema.ts';

/**
 * Returns the errors in the schemas of apiVersion, kind and metadata of a resource, its own or an embedded one. These
 * fields are specified implicitly. At the root, only name and generateName may be restricted.
 */
export function metadataErrors(schema: Schema, root: boolean, path: string): FieldError[] {
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const properties = propertiesOf(schema);
  const metadata = properties.get('metadata');
  const at = (name: string) => key(child(path, 'properties'), name);
  return [
    ...(root || embedded
      ? ['kind', 'apiVersion']
          .filter((name) => properties.has(name) && properties.get(name)?.type !== 'string')
          .map((name) => invalid(child(at(name), 'type'), properties.get(name)?.type ?? '', 'must be string'))
      : []),
    ...((root || embedded) && metadata !== undefined && metadata.type !== 'object'
      ? [invalid(child(at('metadata'), 'type'), metadata.type ?? '', 'must be object')]
      : []),
    ...(root && metadata !== undefined && saysMore(metadata)
      ? [
          forbidden(
            at('metadata'),
            'must not specify anything other than name and generateName, but metadata is implicitly specified',
          ),
        ]
      : []),
    ...(embedded && schema['x-kubernetes-preserve-unknown-fields'] !== true && properties.size === 0
      ? [
          required(
            child(path, 'properties'),
            'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
          ),
        ]
      : []),
  ];
}

/** Whether the schema of a resource's metadata defines more than its type and the schemas of its names. */
function saysMore(metadata: Schema): boolean {
  const { type: _type, default: _default, properties = {}, ...rest } = metadata;
  const others = Object.keys(properties).some((name) => name !== 'name' && name !== 'generateName');
  return others || Object.values(rest).some((value) => !isZero(value));
}
