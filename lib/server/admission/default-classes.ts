import { type JsonObject, metadataOf, objectAt } from '../../json/index.ts';
import type { ObjectState } from '../../store/index.ts';

const STORAGE = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];
const INGRESS = ['ingressclass.kubernetes.io/is-default-class'];

/**
 * Returns the claim with the default storage class, if there is a default. The caller passes classes only for a claim
 * that names none.
 */
export function withStorageClass(claim: JsonObject, classes: readonly ObjectState[]): JsonObject {
  return withClass(claim, 'storageClassName', newestDefault(classes, STORAGE));
}

/**
 * Returns the ingress with the default ingress class, if there is a default. The caller passes classes only for an
 * ingress that names none.
 */
export function withIngressClass(ingress: JsonObject, classes: readonly ObjectState[]): JsonObject {
  return withClass(ingress, 'ingressClassName', newestDefault(classes, INGRESS));
}

function withClass(body: JsonObject, field: string, name: string | undefined): JsonObject {
  return name === undefined ? body : { ...body, spec: { ...objectAt(body.spec ?? {}), [field]: name } };
}

/**
 * The name of the default class that was created last. Classes created in the same second are ordered by name, and
 * the first one is taken.
 */
function newestDefault(classes: readonly ObjectState[], annotations: readonly string[]): string | undefined {
  const defaults = classes.filter(({ body }) => {
    const own = objectAt(metadataOf(body).annotations ?? {});
    return annotations.some((annotation) => own[annotation] === 'true');
  });
  const made = ({ body }: ObjectState) => Date.parse(String(metadataOf(body).creationTimestamp));
  const [newest] = defaults.toSorted(
    (one, other) => made(other) - made(one) || (one.name.name < other.name.name ? -1 : 1),
  );
  return newest?.name.name;
}
