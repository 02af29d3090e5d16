import { collectionOf } from '../../json/index.ts';
import { type ResourceAccess, Scope } from '../../kubernetes/rbac/index.ts';
import { collectionsThat } from '../../kubernetes/resource-types/index.ts';
import { intersect } from '../../selectors/index.ts';

/** The access that delivery or counting needs. */
export interface DeliveryGrant {
  /** `''` is the core group. */
  readonly apiGroup: string;
  readonly resource: string;
  /** `''` means all namespaces, several namespaces, or a kind without namespaces. */
  readonly namespace: string;
}

/** The collections whose objects inherit the scope of the object that they are about. */
const EVENTS = collectionsThat(({ isEvent }) => isEvent === true);
/** The longest text of a scope, in bytes. A state row has room for two such texts besides the selection. */
const MOST = 16_000;

/**
 * The objects whose changes may be delivered to a user: those that the user may list and watch. Undefined means all.
 *
 * @param reach the scope of a permission; undefined means all objects
 */
export function deliveryScope(
  told: DeliveryGrant,
  reach: (access: ResourceAccess) => Scope | undefined,
): Scope | undefined {
  const [listed, watched] = ['list', 'watch'].map((verb) =>
    reach({ ...told, verb, subresource: '', name: '' }),
  );
  if (listed === undefined || watched === undefined) return listed ?? watched;
  if (`${listed}` === `${watched}`) return listed;
  return Scope.of(listed.selectors.flatMap((one) => watched.selectors.map((other) => intersect(one, other))));
}

/** Why delivery cannot be limited to a scope; undefined if it can. */
export function whyNotTold({ apiGroup, resource }: DeliveryGrant, scope: Scope): string | undefined {
  if (EVENTS.has(collectionOf(apiGroup, resource))) {
    return 'Events cannot be selected by labels, so a Subscription with limited access cannot deliver them';
  }
  const bytes = Buffer.byteLength(`${scope}`);
  return bytes > MOST ? `the selectors of your access take ${bytes} bytes; the limit is ${MOST}` : undefined;
}
