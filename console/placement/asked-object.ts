/** The part of a stored object that a review needs. */
interface Placeable {
  readonly metadata: {
    readonly name?: string;
    readonly namespace?: string;
    readonly labels?: object;
    readonly annotations?: object;
  };
  readonly spec?: object;
}

/**
 * Returns a stored object as a new one, as if it had no node yet: a pod without `nodeName`, and without the fields that
 * the server set.
 */
export function asNew(object: object, apiVersion: string, kind: string): object {
  const { metadata, spec, ...others } = object as Placeable & Record<string, unknown>;
  const { name, namespace, labels, annotations } = metadata;
  const { nodeName: _nodeName, ...unbound } = (spec ?? {}) as Record<string, unknown>;
  const { status: _status, ...rest } = others;
  return {
    ...rest,
    apiVersion,
    kind,
    metadata: { name, namespace, labels, annotations },
    spec: kind === 'Pod' ? unbound : spec,
  };
}

/**
 * Reads a pasted object.
 *
 * @throws {Error} the text is no YAML, or no object
 */
export async function readPasted(text: string): Promise<object> {
  const { readYaml } = await import('../yaml/index.ts');
  const object = text.trim() === '' ? undefined : readYaml(text);
  if (typeof object !== 'object' || object === null || Array.isArray(object)) {
    throw new Error('Paste an object: a Pod, or a workload with a pod template.');
  }
  return object;
}

/** A message about a review as one about its object. */
export function ownWords(message: string): string {
  return message.replaceAll('spec.object.', '').replace('PlacementReview.winnow.dev "" is invalid: ', '');
}
