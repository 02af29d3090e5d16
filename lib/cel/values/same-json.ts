/** Returns true for JSON values with the same content. The order of fields does not matter. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((each, at) => sameJson(each, other[at]));
  }
  const [fields, others] = [Object.entries(one), new Map(Object.entries(other))];
  if (fields.length !== others.size) return false;
  return fields.every(([name, value]) => others.has(name) && sameJson(value, others.get(name)));
}
