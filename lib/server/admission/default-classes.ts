import { type JsonObject, metadataOf, objectAt } from '../../json/index.ts';
import type { ObjectState } from '../../store/index.ts';

const STORAGE = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];
const INGRESS = ['ingressclass.kubernetes.io/is-default-class'];

/** A claim that names no class takes the default one. */
export function withStorageClass(claim: JsonObject, classes: readonly ObjectState[]): JsonObject {
  return withClass(claim, 'storageClassName', newestDefault(classes, STORAGE));
}

/** An ingress that names no class takes the default one. */
export function withIngressClass(ingress: JsonObject, classes: readonly ObjectState[]): JsonObject {
  return withClass(ingress, 'ingressClassName', newestDefault(classes, INGRESS));
}

function withClass(body: JsonObject, field: string, name: string | undefined): JsonObject {
  return name === undefined ? body : { ...body, spec: { ...objectAt(body.spec ?? {}), [field]: name } };
}

/** Of several the one made last; of those of one second the first by name. */
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
