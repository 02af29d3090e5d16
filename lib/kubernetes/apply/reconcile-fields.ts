import { FieldSet } from './field-set.ts';
import { fieldNameOf, type Path, type PathElement } from './path-element.ts';
import { deducedShape, type Shape } from './shape.ts';

/**
 * Returns the owned fields after a change of their type. If a value has become atomic, the owner of a part becomes
 * the owner of the whole. A change in the other direction leaves the fields unchanged.
 */
export function reconcileFields(shape: Shape, fields: FieldSet): FieldSet {
  const whole = FieldSet.of(...wholeValues(shape, { fields, owned: false, path: [] }));
  return whole.isEmpty ? fields : fields.recursiveDifference(whole).union(whole);
}

interface Place {
  readonly fields: FieldSet;
  /** Whether the set contains the field itself, but no field below it. */
  readonly owned: boolean;
  readonly path: Path;
}

/**
 * Yields the paths of atomic values of which `place` names parts. A map that accepts any value has no atomic values.
 */
function* wholeValues(shape: Shape, place: Place): Iterable<Path> {
  const { map, scalar, list } = shape;
  if (map !== undefined) {
    if (map.rest === deducedShape && shape === deducedShape) return;
    if (map.atomic && !place.owned) {
      if (!place.fields.isEmpty) yield place.path;
      return;
    }
    yield* wholeBelow(place, (element) => {
      const name = fieldNameOf(element);
      return (name === undefined ? undefined : map.field(name)) ?? map.rest;
    });
  } else if (scalar === undefined && list !== undefined) {
    if (list.atomic && !place.owned) {
      yield place.path;
    } else {
      yield* wholeBelow(place, () => list.element);
    }
  }
}

function* wholeBelow(place: Place, shapeOf: (element: PathElement) => Shape | undefined): Iterable<Path> {
  for (const [element, member] of place.fields.elements()) {
    const shape = shapeOf(element);
    const fields = place.fields.below(element);
    const next = { fields, owned: member && fields.isEmpty, path: [...place.path, element] };
    if (shape !== undefined) yield* wholeValues(shape, next);
  }
}
