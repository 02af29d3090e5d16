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

/** A line `---` that only comments and empty lines precede. */
const DOCUMENT_START = /^((?:[ \t]*(?:#[^\n]*)?\n)*)---[ \t]*(?=\n)/;
/** The lines of the review before the object, which a message about a line counts too. */
const LINES_BEFORE = 2;

/**
 * Puts the YAML or JSON of an object into a PlacementReview. The server reads the YAML; the page does not.
 *
 * @throws {Error} the text is empty, or has several documents
 */
export function reviewText(text: string, count: number): string {
  const object = text.replace(DOCUMENT_START, '$1').replace(/\n(?:---|\.\.\.)\s*$/, '\n');
  if (object.trim() === '') throw new Error('Paste an object: a Pod, or a workload with a pod template.');
  if (/^---/m.test(object)) throw new Error('Paste one object only: this text has several documents.');
  const indented = object.split('\n').map((line) => `  ${line}`);
  const head = ['spec:', ' object:', ...indented];
  return [...head, ` count: ${count}`, 'apiVersion: winnow.dev/v1', 'kind: PlacementReview', ''].join('\n');
}

/** A message about the review as one about the pasted object. */
export function ownWords(message: string): string {
  return message
    .replaceAll('spec.object.', '')
    .replace('PlacementReview.winnow.dev "" is invalid: ', '')
    .replace(/\bline (\d+)/g, (_, line: string) => `line ${Math.max(1, Number(line) - LINES_BEFORE)}`);
}
