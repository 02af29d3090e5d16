import { EVENT_ID, type Event, getScalarValue, SCALAR_STYLE } from 'js-yaml';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  MOST_VALUES,
  TooLargeError,
} from '../../json/index.ts';
import { MOST_FAULTS } from '../fields/index.ts';
import { EncodingError } from './encoding-error.ts';
import type { ReadYaml } from './yaml-options.ts';
import { refuseCollectionTag, scalarValue, tagName } from './yaml-scalars.ts';

/** The limit of keys, values and aliases in one document, including the nodes that aliases stand for. */
export const MOST_YAML_NODES = 2 * MOST_VALUES;

/**
 * The limit of levels below the document. If a key is a list, the parser moves all its events once for each enclosing
 * level.
 */
export const MOST_YAML_DEPTH = 200;

/** The error for deeper nesting: the message of Go's decoder, plus the limit. */
export const YAML_DEPTH_EXCEEDED = `exceeded max depth: YAML may be nested ${MOST_YAML_DEPTH} levels deep`;

/** The limit of anchors and aliases in one document together. */
const MOST_REFERENCES = 10_000;

const NO_TEXT = 'yaml: a key is no text';

type EventOf<Type> = Extract<Event, { readonly type: Type }>;
type Scalar = EventOf<typeof EVENT_ID.SCALAR>;
type Collection = EventOf<typeof EVENT_ID.SEQUENCE> | EventOf<typeof EVENT_ID.MAPPING>;

/** A value and the cost of copying it. */
interface Node {
  readonly value: JsonValue;
  readonly nodes: number;
  /** The levels of objects and lists below it. */
  readonly depth: number;
}

/** A list or an object while it is being read. */
interface Frame {
  readonly holder: JsonValue[] | JsonObject;
  /** The name of its anchor. */
  readonly anchor: string | undefined;
  /** The number of nodes in the document before it. */
  readonly before: number;
  /** The levels below it, as far as it has been read. */
  depth: number;
  /** The key whose value comes next. */
  key: string | undefined;
  isMerge: boolean;
  /** The keys that the document sets explicitly; merged keys are not included. */
  readonly keys: Set<string>;
}

/**
 * Builds the value of the document that the events describe. Counts nodes, depth and references while it reads. An
 * alias becomes a copy, whose nodes count again.
 *
 * @throws {EncodingError} a reference that cannot be resolved, a key that is not text, a value that JSON cannot
 * represent
 * @throws {TooLargeError} too many nodes
 */
export function composeYaml(text: string, events: readonly Event[]): ReadYaml {
  const composer = new Composer(text);
  for (const event of events) composer.take(event);
  return { value: composer.value, duplicates: composer.duplicates };
}

/** Returns the error for a document that is refused at its first node too many. */
export function tooManyNodes(): TooLargeError {
  const limit = { limit: MOST_YAML_NODES, unit: 'keys and values' };
  return new TooLargeError('the YAML in the body of the request', MOST_YAML_NODES + 1, limit);
}

class Composer {
  value: JsonValue = null;
  readonly duplicates: string[] = [];
  readonly #text: string;
  readonly #frames: Frame[] = [];
  /** The anchored nodes by name. Undefined means that the value is still being read. */
  readonly #anchors = new Map<string, Node | undefined>();
  #handles: ReadonlyMap<string, string> = new Map();
  #nodes = 0;
  #references = 0;
  /** The line of the last position that was looked up. */
  #line = { number: 1, end: -1 };

  constructor(text: string) {
    this.#text = text;
  }

  take(event: Event): void {
    switch (event.type) {
      case EVENT_ID.DOCUMENT:
        this.#handles = new Map(
          event.directives.flatMap((each) => (each.kind === 'tag' ? [[each.handle, each.prefix]] : [])),
        );
        break;
      case EVENT_ID.SCALAR:
        this.#count(1);
        this.#scalar(event);
        break;
      case EVENT_ID.ALIAS:
        this.#alias(this.#text.slice(event.anchorStart, event.anchorEnd));
        break;
      case EVENT_ID.POP:
        this.#close();
        break;
      default:
        this.#open(event);
    }
  }

  #scalar(event: Scalar): void {
    const text = getScalarValue(this.#text, event);
    const isPlain = event.style === SCALAR_STYLE.PLAIN;
    const tag = this.#tagOf(event);
    const frame = this.#frames.at(-1);
    if (frame !== undefined && isAtKey(frame)) {
      frame.isMerge = isPlain && tag === '' && text === '<<';
    }
    const value = this.#at(event.valueStart, () => scalarValue(text, { isPlain, tag }));
    const node = { value, nodes: 1, depth: 0 };
    const anchor = this.#anchorOf(event);
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    if (frame !== undefined && isAtKey(frame)) {
      this.#key(frame, value, event.valueStart);
    } else {
      this.#put(node);
    }
  }

  #open(event: Collection): void {
    this.#count(1);
    const frame = this.#frames.at(-1);
    if (frame !== undefined && isAtKey(frame)) throw new EncodingError(NO_TEXT);
    const isList = event.type === EVENT_ID.SEQUENCE;
    const tag = this.#tagOf(event);
    this.#at(event.start, () => refuseCollectionTag(tag, isList));
    const anchor = this.#anchorOf(event);
    if (anchor !== undefined) this.#anchors.set(anchor, undefined);
    this.#frames.push({
      holder: isList ? [] : {},
      anchor,
      before: this.#nodes - 1,
      depth: 0,
      key: undefined,
      isMerge: false,
      keys: new Set(),
    });
  }

  /** Ends a list, an object, or the document. */
  #close(): void {
    const frame = this.#frames.pop();
    if (frame === undefined) return;
    const { holder: value, anchor, before, depth } = frame;
    const node = { value, nodes: this.#nodes - before, depth };
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    this.#put(node);
  }

  #alias(name: string): void {
    this.#refer();
    const node = this.#anchors.get(name);
    if (node === undefined) {
      const isOpen = this.#anchors.has(name);
      throw new EncodingError(
        isOpen ? `yaml: anchor '${name}' value contains itself` : `yaml: unknown anchor '${name}' referenced`,
      );
    }
    const frame = this.#frames.at(-1);
    if (frame !== undefined && isAtKey(frame)) throw new EncodingError(NO_TEXT);
    if (this.#frames.length + node.depth > MOST_YAML_DEPTH) {
      throw new EncodingError(`yaml: ${YAML_DEPTH_EXCEEDED}`);
    }
    if (this.#nodes + node.nodes > MOST_YAML_NODES) {
      throw new EncodingError('yaml: document contains excessive aliasing');
    }
    this.#nodes += node.nodes;
    this.#put({ ...node, value: copyOf(node.value) });
  }

  #anchorOf({ anchorStart, anchorEnd }: Scalar | Collection): string | undefined {
    if (anchorStart < 0) return undefined;
    this.#refer();
    return this.#text.slice(anchorStart, anchorEnd);
  }

  #key(frame: Frame, value: JsonValue, at: number): void {
    if (value === null) throw new EncodingError(NO_TEXT);
    frame.key = String(value);
    if (frame.isMerge) return;
    if (frame.keys.has(frame.key) && this.duplicates.length < MOST_FAULTS) {
      const name = JSON.stringify(frame.key);
      this.duplicates.push(`line ${this.#lineOf(at)}: key ${name} already set in map`);
    }
    frame.keys.add(frame.key);
  }

  /** Adds a value to the list or object that contains it. */
  #put({ value, depth }: Node): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) {
      this.value = value;
      return;
    }
    const { holder, key = '', isMerge } = frame;
    frame.depth = Math.max(frame.depth, depth + 1);
    if (Array.isArray(holder)) {
      holder.push(value);
    } else if (isMerge) {
      merge(holder, value);
    } else {
      set(holder, key, value);
    }
    frame.key = undefined;
    frame.isMerge = false;
  }

  #tagOf({ tagStart, tagEnd }: Scalar | Collection): string {
    return tagStart < 0 ? '' : tagName(this.#text.slice(tagStart, tagEnd), this.#handles);
  }

  #count(nodes: number): void {
    this.#nodes += nodes;
    if (this.#nodes > MOST_YAML_NODES) throw tooManyNodes();
  }

  #refer(): void {
    this.#references += 1;
    if (this.#references <= MOST_REFERENCES) return;
    throw new EncodingError(`yaml: document contains more than ${MOST_REFERENCES} anchors and aliases`);
  }

  /** Runs `act` and adds the line number to its error. */
  #at<Result>(at: number, act: () => Result): Result {
    try {
      return act();
    } catch (error) {
      if (!(error instanceof EncodingError)) throw error;
      throw new EncodingError(`yaml: line ${this.#lineOf(at)}: ${error.message}`);
    }
  }

  /** Returns the line number of a position. Callers ask in ascending order, so the text is scanned once. */
  #lineOf(at: number): number {
    for (;;) {
      const end = this.#text.indexOf('\n', this.#line.end + 1);
      if (end < 0 || end >= at) return this.#line.number;
      this.#line = { number: this.#line.number + 1, end };
    }
  }
}

function isAtKey({ holder, key }: Frame): boolean {
  return !Array.isArray(holder) && key === undefined;
}

/** Sets a member. `__proto__` is an ordinary key. */
function set(holder: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    holder[key] = value;
  }
}

/** Copies the members of an object, or of each object in a list, unless the holder already has them. */
function merge(holder: JsonObject, value: JsonValue): void {
  for (const source of Array.isArray(value) ? value : [value]) {
    if (!isJsonObject(source)) {
      throw new EncodingError('yaml: map merge requires map or sequence of maps as the value');
    }
    for (const [key, member] of Object.entries(source)) {
      if (!Object.hasOwn(holder, key)) set(holder, key, member);
    }
  }
}

/** Returns a deep copy. Recursive; {@link MOST_YAML_DEPTH} limits the depth. */
function copyOf(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isJsonObject(value)) return value;
  const copy: JsonObject = {};
  for (const [key, member] of Object.entries(value)) set(copy, key, copyOf(member));
  return copy;
}
