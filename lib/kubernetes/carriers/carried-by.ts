import { type CustomKind, targetResources } from '../resource-types/index.ts';
import { customSelections, readDeclaredFields } from './custom-selections.ts';
import type { Selection } from './selection.ts';
import { type BuiltinCarrier, selectionsOf } from './selections-of.ts';

/** Returns all selectors of an object. For a custom kind, they are in the fields that its definition names. */
export function carriedBy(carrier: BuiltinCarrier, custom: CustomKind | undefined): readonly Selection[] {
  if (custom === undefined) return selectionsOf(carrier);
  return customSelections(carrier.body, {
    ...readDeclaredFields(custom.selects ?? ''),
    namespace: carrier.namespace,
    // The scope of a custom kind is not known here: its objects are assumed to be namespaced.
    isNamespaced: (target) => targetResources.of(target)?.namespaced !== false,
  });
}
