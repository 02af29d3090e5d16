import { type JsonObject, jsonEquals, objectAt } from '../../../json/index.ts';
import { dns1123SubdomainErrors } from '../../../selectors/index.ts';
import { index, invalid, invalidPrinted, required } from '../../field-errors/index.ts';
import { isRange } from '../addresses.ts';
import { type Errors, invalidFor } from '../errors.ts';
import { goPointer, goTexts } from '../go-values.ts';
import { nameErrors } from '../names.ts';
import { isThere, textOf, textsOf } from '../reading.ts';

const IMMUTABLE = 'field is immutable';
const PARENT = 'spec.parentRef';

/** An IPAddress names the object that has the address. */
export function* ipAddress({ spec }: JsonObject): Errors {
  const { parentRef } = objectAt(spec);
  if (!isThere(parentRef)) return yield required(PARENT);
  const { group, resource, namespace, name } = objectAt(parentRef);
  if (textOf(group) !== '') {
    yield* invalidFor(`${PARENT}.group`, textOf(group), dns1123SubdomainErrors(textOf(group)));
  }
  for (const [field, value] of Object.entries({ resource, name })) {
    yield* textOf(value) === '' ? [required(`${PARENT}.${field}`)] : segment(field, textOf(value));
  }
  if (textOf(namespace) !== '') yield* segment('namespace', textOf(namespace));
}

function* segment(field: string, value: string): Errors {
  yield* invalidFor(`${PARENT}.${field}`, value, nameErrors('path', value));
}

export function* ipAddressUpdate(body: JsonObject, old: JsonObject): Errors {
  const [now, before] = [objectAt(body.spec).parentRef, objectAt(old.spec).parentRef];
  if (jsonEquals(now ?? null, before ?? null)) return;
  yield invalidPrinted(PARENT, goPointer('networking.ParentReference', now), IMMUTABLE);
}

const RANGES = 'spec.cidrs';

/** A ServiceCIDR has one range, or one for each of IPv4 and IPv6. */
export function* serviceRanges({ spec }: JsonObject): Errors {
  const ranges = textsOf(objectAt(spec).cidrs);
  if (ranges.length === 0) return yield required(RANGES, 'at least one CIDR required');
  if (ranges.length > 2) {
    const shown = goPointer('networking.ServiceCIDRSpec', spec);
    return yield invalidPrinted(RANGES, shown, 'may only hold up to 2 values');
  }
  const errors = ranges.flatMap((range, at) => [...isRange(index(RANGES, at), range)]);
  yield* errors;
  const [one = '', other] = ranges;
  if (errors.length === 0 && other !== undefined && one.includes(':') === other.includes(':')) {
    const example = 'i.e 192.168.0.0/24 and 2001:db8::/64';
    yield invalidPrinted(
      RANGES,
      goTexts(ranges),
      `may specify no more than one IP for each IP family, ${example}`,
    );
  }
}

/** A range stays. A second one may join the first. */
export function* serviceRangesUpdate(body: JsonObject, old: JsonObject): Errors {
  const [now, before] = [textsOf(objectAt(body.spec).cidrs), textsOf(objectAt(old.spec).cidrs)];
  const isJoined = before.length === 1 && now.length === 2;
  if (now.length !== before.length && !isJoined) {
    return yield invalidPrinted(RANGES, goTexts(now), IMMUTABLE);
  }
  for (const [at, range] of before.entries()) {
    if (now[at] !== range) yield invalid(index(RANGES, at), now[at] ?? '', IMMUTABLE);
  }
  if (isJoined) yield* serviceRanges(body);
}
