import { type JsonObject, metadataOf, objectAt } from '../../../json/index.ts';
import type { ObjectState } from '../../../store/index.ts';
import { containersOf } from '../pod-amounts.ts';
import { limitItems } from './limit-items.ts';

const ANNOTATION = 'kubernetes.io/limit-ranger';

/**
 * Returns a pod whose containers have the default limits and requests of their namespace. An annotation lists the
 * defaults that were set.
 */
export function withLimits(pod: JsonObject, ranges: readonly ObjectState[]): JsonObject {
  return ranges.reduce(withDefaults, pod);
}

interface Defaults {
  readonly limits: JsonObject;
  readonly requests: JsonObject;
}

function withDefaults(pod: JsonObject, range: ObjectState): JsonObject {
  const items = limitItems(range).filter(({ type }) => type === 'Container');
  const limits = Object.assign({}, ...items.map((item) => objectAt(item.default ?? {})));
  const requests = Object.assign({}, ...items.map((item) => objectAt(item.defaultRequest ?? {})));
  const spec = objectAt(pod.spec ?? {});
  const said: string[] = [];
  const completed = (field: 'containers' | 'initContainers', called: string) =>
    containersOf(spec, field).map((container) => {
      const made = withResources(container, { limits, requests });
      said.push(...made.set.map((what) => `${what} for ${called} ${container.name}`));
      return made.container;
    });
  const containers = completed('containers', 'container');
  const initContainers = completed('initContainers', 'init container');
  if (said.length === 0) return pod;
  const metadata = metadataOf(pod);
  const annotations = {
    ...objectAt(metadata.annotations ?? {}),
    [ANNOTATION]: `LimitRanger plugin set: ${said.join('; ')}`,
  };
  const filled: JsonObject = { ...spec, containers };
  if (spec.initContainers !== undefined) filled.initContainers = initContainers;
  return { ...pod, metadata: { ...metadata, annotations }, spec: filled };
}

function withResources(container: JsonObject, defaults: Defaults) {
  const resources = objectAt(container.resources ?? {});
  const set: string[] = [];
  const filled: JsonObject = { ...resources };
  for (const side of ['requests', 'limits'] as const) {
    const own = objectAt(resources[side] ?? {});
    const missing = Object.keys(defaults[side])
      .filter((name) => own[name] === undefined)
      .sort();
    if (missing.length === 0) continue;
    set.push(`${missing.join(', ')} ${side.slice(0, -1)}`);
    filled[side] = { ...defaults[side], ...own };
  }
  return { container: { ...container, resources: filled }, set };
}
