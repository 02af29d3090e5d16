import { FieldSet } from './field-set.ts';
import { fieldNameOf, type Path, type PathElement } from './path-element.ts';
import { deducedShape, type Shape } from './shape.ts';

/**
 * Owned fields after their type has changed: who owned parts of what is now one value owns the value. A type
 * that went the other way is left as it is.
 */
export function reconcileFields(shape: Shape, fields: FieldSet): FieldSet {
  const whole = FieldSet.of(...wholeValues(shape, { fields, owned: false, path: [] }));
  return whole.isEmpty ? fields : fields.recursiveDifference(whole).union(whole);
}

interface Place {
  readonly fields: FieldSet;
  /** Whether the place is owned itself, and nothing below it. */
  readonly owned: boolean;
  readonly path: Path;
}

/** The paths of atomic values of which the fields name parts. A map that takes anything has none. */
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
