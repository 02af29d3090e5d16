import type { JsonObject } from '../../../json/index.ts';
import { objectAt } from '../../../json/index.ts';
import type { ObjectState } from '../../../store/index.ts';
import { type Amount, type Amounts, amountsOf, textOf } from '../amounts.ts';
import { containerAmounts, containersOf, podAmounts } from '../pod-amounts.ts';
import { limitItems } from './limit-items.ts';

/** The violations of the first LimitRange that the object breaks, in Kubernetes' words. */
export function limitErrors(
  collection: string,
  { spec }: JsonObject,
  ranges: readonly ObjectState[],
): string[] {
  for (const range of ranges) {
    const errors = limitItems(range).flatMap((item) =>
      takenBy(collection, objectAt(spec ?? {}), item).flatMap((taken) => errorsOf(item, taken)),
    );
    // Kubernetes checks one LimitRange after another, and stops at the first that refuses.
    if (errors.length > 0) return errors;
  }
  return [];
}

/** The requests and limits of one item to which a LimitRange item applies: a container, a pod or a claim. */
interface Taken {
  readonly requests: Amounts;
  /** Undefined for claims, which have no limits. */
  readonly limits?: Amounts;
}

function takenBy(collection: string, spec: JsonObject, { type }: JsonObject): Taken[] {
  switch (`${collection} ${type}`) {
    case 'core/pods Container':
      return [...containersOf(spec, 'containers'), ...containersOf(spec, 'initContainers')].map((one) => ({
        requests: containerAmounts(one, 'requests'),
        limits: containerAmounts(one, 'limits'),
      }));
    case 'core/pods Pod':
      return [{ requests: podAmounts(spec, 'requests'), limits: podAmounts(spec, 'limits') }];
    case 'core/persistentvolumeclaims PersistentVolumeClaim':
      return [{ requests: amountsOf(objectAt(spec.resources ?? {}).requests) }];
    default:
      return [];
  }
}

/** One bound of a LimitRange item, with the amounts that it bounds. */
interface Bound {
  readonly resource: string;
  readonly type: string;
  readonly bound: Amount;
  readonly request: Amount | undefined;
  readonly limit: Amount | undefined;
}

function errorsOf(
  { type, min, max, maxLimitRequestRatio }: JsonObject,
  { requests, limits }: Taken,
): string[] {
  const each = (bounds: JsonObject[string] | undefined, judge: (bound: Bound) => string | undefined) =>
    [...amountsOf(bounds)]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([resource, bound]) => {
        const request = requests.get(resource);
        const limit = limits?.get(resource);
        return judge({ resource, type: String(type), bound, request, limit }) ?? [];
      });
  return [
    ...each(min, belowMinimum),
    ...each(max, limits === undefined ? requestAboveMaximum : aboveMaximum),
    ...each(maxLimitRequestRatio, aboveRatio),
  ];
}

function belowMinimum({ resource, type, bound, request, limit }: Bound): string | undefined {
  const least = `minimum ${resource} usage per ${type} is ${textOf(bound)}`;
  if (request === undefined) return `${least}.  No request is specified`;
  if (request.nanos < bound.nanos) return `${least}, but request is ${textOf(request)}`;
  return limit !== undefined && limit.nanos < bound.nanos
    ? `${least}, but limit is ${textOf(limit)}`
    : undefined;
}

function aboveMaximum({ resource, type, bound, request, limit }: Bound): string | undefined {
  const most = `maximum ${resource} usage per ${type} is ${textOf(bound)}`;
  if (limit === undefined) return `${most}.  No limit is specified`;
  if (limit.nanos > bound.nanos) return `${most}, but limit is ${textOf(limit)}`;
  return request !== undefined && request.nanos > bound.nanos
    ? `${most}, but request is ${textOf(request)}`
    : undefined;
}

function requestAboveMaximum({ resource, type, bound, request }: Bound): string | undefined {
  const most = `maximum ${resource} usage per ${type} is ${textOf(bound)}`;
  if (request === undefined) return `${most}.  No request is specified`;
  return request.nanos > bound.nanos ? `${most}, but request is ${textOf(request)}` : undefined;
}

function aboveRatio({ resource, type, bound, request, limit }: Bound): string | undefined {
  const most = `${resource} max limit to request ratio per ${type} is ${textOf(bound)}`;
  if (!request?.nanos) return `${most}, but no request is specified or request is 0`;
  if (!limit?.nanos) return `${most}, but no limit is specified or limit is 0`;
  const ratio = Number(limit.nanos) / Number(request.nanos);
  return ratio * 1e9 > Number(bound.nanos) ? `${most}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}
