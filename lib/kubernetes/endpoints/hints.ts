import type { Endpoint, EndpointSlice, Service } from './objects.ts';

/**
 * Whether endpoints get hints to their own zones. In Kubernetes, the annotation
 * `service.kubernetes.io/topology-mode: Auto` takes precedence and produces hints by the processors of zones. Here it
 * means no hints.
 */
export function prefersClose({ metadata, spec }: Service): boolean {
  const annotations = metadata.annotations ?? {};
  const mode =
    annotations['service.kubernetes.io/topology-aware-hints'] ??
    annotations['service.kubernetes.io/topology-mode'];
  return spec?.trafficDistribution === 'PreferClose' && mode !== 'Auto' && mode !== 'auto';
}

/** Returns the slice with the correct hints. If they are already correct, it returns the same slice. */
export function hinted<Slice extends WithEndpoints>(slice: Slice, close: boolean): Slice {
  const endpoints = slice.endpoints ?? [];
  const isRight = endpoints.every((endpoint) =>
    close ? !isReady(endpoint) || hasHintOf(endpoint) : !endpoint.hints,
  );
  if (isRight) return slice;
  return {
    ...slice,
    endpoints: endpoints.map((endpoint) =>
      close && !isReady(endpoint) ? endpoint : withHint(endpoint, close),
    ),
  };
}

interface WithEndpoints {
  readonly endpoints?: EndpointSlice['endpoints'];
}

function isReady({ conditions }: Endpoint): boolean {
  return conditions?.ready === true;
}

function hasHintOf({ zone, hints }: Endpoint): boolean {
  const { forZones, forNodes } = hints ?? {};
  const named = (forZones ?? []).map(({ name }) => name);
  const isRight = zone ? named.length === 1 && named[0] === zone : named.length === 0;
  return isRight && (forNodes ?? []).length === 0;
}

function withHint({ hints: _, ...endpoint }: Endpoint, close: boolean): Endpoint {
  return close && endpoint.zone ? { ...endpoint, hints: { forZones: [{ name: endpoint.zone }] } } : endpoint;
}
