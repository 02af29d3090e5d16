import { deducedShape, kindShape, type Shape } from '../../kubernetes/apply/index.ts';
import type { FieldTable } from '../../kubernetes/fields/index.ts';
import { apiVersionOf, type ResourceType } from '../../kubernetes/resource-types/index.ts';
import type { Schema } from '../../kubernetes/schemas/index.ts';
import { schemaShape } from './schema-shape.ts';
import { versionsOf } from './version-converter.ts';

/** Returns the shape of whole objects by apiVersion, for all versions of a type; undefined for other versions. */
export function shapesOf(type: ResourceType, fields: FieldTable): (apiVersion: string) => Shape | undefined {
  const { custom } = type;
  if (custom !== undefined) {
    const metadata = kindShape(fields.message('meta.v1.ObjectMeta'));
    return (version) => {
      const schema = custom.schemas.get(version);
      return schema && schemaShape(schema as Schema, metadata);
    };
  }
  const versions = [type, ...versionsOf(type)];
  return (version) => {
    const served = versions.find((one) => apiVersionOf(one) === version);
    const message = served && fields.kind(version, served.kind);
    if (message !== undefined) return kindShape(message);
    return served === undefined ? undefined : deducedShape;
  };
}
