import { type CustomKind, targetResources } from '../resource-types/index.ts';
import { customSelections, readDeclaredFields } from './custom-selections.ts';
import type { Selection } from './selection.ts';
import { type BuiltinCarrier, selectionsOf } from './selections-of.ts';

/** All selectors of an object; of a custom kind, in the fields that its definition names. */
export function carriedBy(carrier: BuiltinCarrier, custom: CustomKind | undefined): readonly Selection[] {
  if (custom === undefined) return selectionsOf(carrier);
  return customSelections(carrier.body, {
    ...readDeclaredFields(custom.selects ?? ''),
    namespace: carrier.namespace,
    // Of a custom kind it is not known here: its objects are taken to be in namespaces.
    isNamespaced: (target) => targetResources.of(target)?.namespaced !== false,
  });
}
