import type { FieldError } from '../../selectors/index.ts';
import { child, index, key, required } from '../field-errors/index.ts';
import { itemsOf, propertiesOf, type Schema } from './schema.ts';

/** A schema below `anyOf` or a similar keyword, and the structural schema of the same value. */
interface Pair {
  readonly nested: Schema;
  readonly nestedPath: string;
  readonly structural: Schema | undefined;
  readonly path: string;
}

/**
 * Returns errors for values that are restricted below `anyOf` or a similar keyword but not declared outside
 * (pkg/apiserver/schema/complete.go, validateStructuralCompleteness).
 */
export function completenessErrors(schema: Schema, path: string): FieldError[] {
  return junctorErrors({ nested: schema, nestedPath: path, structural: schema, path });
}

function junctorErrors(pair: Pair): FieldError[] {
  const { nested, nestedPath } = pair;
  const lists = (['allOf', 'anyOf', 'oneOf'] as const).flatMap((name) =>
    (nested[name] ?? []).map((each, at) => ({ each, at: index(child(nestedPath, name), at) })),
  );
  const all =
    nested.not === undefined ? lists : [{ each: nested.not, at: child(nestedPath, 'not') }, ...lists];
  return all.flatMap(({ each, at }) => pairErrors({ ...pair, nested: each, nestedPath: at }));
}

function pairErrors(pair: Pair): FieldError[] {
  const { nested, nestedPath, structural, path } = pair;
  if (structural === undefined) return [required(path, `because it is defined in ${nestedPath}`)];
  const items = itemsOf(nested);
  const declared = propertiesOf(structural);
  return [
    ...junctorErrors(pair),
    ...(items === undefined
      ? []
      : pairErrors({
          nested: items,
          nestedPath: child(nestedPath, 'items'),
          structural: itemsOf(structural),
          path: child(path, 'items'),
        })),
    ...[...propertiesOf(nested)].flatMap(([name, property]) =>
      pairErrors({
        nested: property,
        nestedPath: key(child(nestedPath, 'properties'), name),
        structural: declared.get(name),
        path: key(child(path, 'properties'), name),
      }),
    ),
  ];
}
