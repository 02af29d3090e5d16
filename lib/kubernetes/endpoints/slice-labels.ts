import { isDeepStrictEqual } from 'node:util';
import { MANAGER } from './manager.ts';
import type { EndpointSlice, Service } from './objects.ts';

export const SERVICE_NAME = 'kubernetes.io/service-name';
export const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
export const HEADLESS = 'service.kubernetes.io/headless';

export type Labels = Readonly<Record<string, string>>;

/** Returns the labels of a Service's slices: those of the Service, its name and the manager. */
export function sliceLabels(service: Service): Labels {
  const headless: Labels = isHeadless(service) ? { [HEADLESS]: '' } : {};
  const own = { [SERVICE_NAME]: service.metadata.name, [MANAGED_BY]: MANAGER };
  return { ...ownLabels(service), ...headless, ...own };
}

/** Whether a slice has the labels of its Service. The reserved labels (name, manager, headless) are ignored. */
export function hasLabelsOf(service: Service, slice: EndpointSlice): boolean {
  return isDeepStrictEqual(ownLabels(slice), ownLabels(service));
}

/** Whether a slice has all labels that it should have. */
export function hasAllLabels(service: Service, { metadata }: EndpointSlice): boolean {
  return isDeepStrictEqual({ ...metadata.labels }, { ...sliceLabels(service) });
}

export function isHeadless({ spec }: Service): boolean {
  return !spec?.clusterIP || spec.clusterIP === 'None';
}

function ownLabels({ metadata }: Service | EndpointSlice): Labels {
  const reserved = [SERVICE_NAME, MANAGED_BY, HEADLESS];
  return Object.fromEntries(Object.entries(metadata.labels ?? {}).filter(([key]) => !reserved.includes(key)));
}
