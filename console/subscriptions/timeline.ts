import { valueText } from '../selector/index.ts';

/** A change of an object, as the history of a set tells it. */
export interface Transition {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly type: 'Entered' | 'Changed' | 'Left' | 'Created' | 'Updated' | 'Deleted';
  readonly resourceVersion: string;
  /** RFC 3339. */
  readonly time: string;
  /** Missing if Winnow itself made the change. */
  readonly user?: string;
  readonly manager?: string;
  readonly patch?: readonly Operation[];
}

/** An operation of RFC 6902. */
interface Operation {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}

export interface ToldAndWaiting {
  /** The changes after the position, which the queue has not got. The newest comes first. */
  readonly waiting: readonly Transition[];
  readonly told: readonly Transition[];
}

/** Where the changes of a Subscription begin. */
export interface Beginning {
  /** `now`, `snapshot`, or a resourceVersion, after which each change is sent. */
  readonly start?: string | undefined;
  /** When the Subscription was created, in RFC 3339. */
  readonly created?: string | undefined;
}

/** The changes that a Subscription sends one by one. Those before its creation are in the snapshot at most. */
export function changesSince(
  changes: readonly Transition[],
  { start = '', created = '' }: Beginning,
): readonly Transition[] {
  if (/^\d+$/.test(start)) return changes.filter((one) => BigInt(one.resourceVersion) > BigInt(start));
  const first = Date.parse(created);
  return changes.filter(({ time }) => !(Date.parse(time) < first));
}

/** Divides changes at the position of a Subscription: every change up to it was sent. */
export function divideAt(changes: readonly Transition[], position: string | undefined): ToldAndWaiting {
  const sent = BigInt(position ?? '0');
  const isTold = ({ resourceVersion }: Transition) => BigInt(resourceVersion) <= sent;
  return { waiting: changes.filter((one) => !isTold(one)), told: changes.filter(isTold) };
}

const WHOLE: Readonly<Record<string, string>> = { add: 'created', remove: 'deleted' };
/** The most operations of a change that are put into words. */
const MOST = 3;

/** What changed, in a few words: `connectivity=offline`, `−tier`, `created`. */
export function changeText(patch: readonly Operation[] = []): string {
  const whole = patch.find(({ path }) => path === '');
  if (whole !== undefined) return WHOLE[whole.op] ?? 'replaced';
  const texts = patch.slice(0, MOST).map(operationText);
  const left = patch.length - texts.length;
  return [...texts, ...(left > 0 ? [`and ${left} more`] : [])].join(', ');
}

function operationText({ op, path, value }: Operation): string {
  const segments = path.slice(1).split('/').map(unescaped);
  const isLabel = segments.length === 3 && path.startsWith('/metadata/labels/');
  const name = isLabel ? segments[2] : segments.join('.').replace(/^metadata\./, '');
  if (op === 'remove') return `−${name}`;
  const isShort = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  const text = isShort ? valueText(String(value)) : '…';
  return `${op === 'add' ? '+' : ''}${name}=${text.length > 40 ? `${text.slice(0, 39)}…` : text}`;
}

/** Reads a segment of a JSON pointer. */
function unescaped(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}
