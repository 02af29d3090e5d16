import { type Event, parseEvents, YAMLException } from 'js-yaml';
import {
  composeYaml,
  MOST_YAML_DEPTH,
  MOST_YAML_NODES,
  tooManyNodes,
  YAML_DEPTH_EXCEEDED,
} from './compose-yaml.ts';
import { EncodingError } from './encoding-error.ts';
import type { ReadYaml } from './yaml-options.ts';

/** Matches a line that starts or ends a document, with the line break before it. */
const MARKER = /(?:^|[\n\r])(---|\.\.\.)(?=[ \t\r\n]|$)/g;

/** Matches a character of a document's content, which is not a blank, a comment or a directive. */
const CONTENT = /(?:^|[\n\r])[ \t]*[^ \t\r\n#%]/;

/**
 * The limit of nodes that the parser begins. It begins some nodes twice: it first reads an item of a list as the first
 * key of an object.
 */
const MOST_BEGUN = 2 * MOST_YAML_NODES;

/**
 * Parses the first document of a YAML stream, as {@link readYaml} returns it. The rest of the stream is not parsed.
 *
 * @throws {EncodingError} the text is not YAML, or JSON cannot represent its value
 * @throws {TooLargeError} the document has more values than an object may have
 */
export function parseYaml(body: Uint8Array): ReadYaml {
  const text = firstDocument(decode(body));
  return composeYaml(text, eventsOf(text));
}

function decode(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new EncodingError('yaml: invalid leading UTF-8 octet');
  }
}

/** Returns the text up to the marker after the first document. No YAML scalar can contain a marker line. */
function firstDocument(text: string): string {
  let started = false;
  let from = 0;
  for (const { index, 0: line, 1: marker } of text.matchAll(MARKER)) {
    started ||= CONTENT.test(text.slice(from, index));
    if (started) return text.slice(0, index + 1);
    started = marker === '---';
    from = index + line.length;
  }
  return text;
}

function eventsOf(text: string): Event[] {
  try {
    return parseEvents(text, { maxDepth: depthThatCounts() });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    throw new EncodingError(`yaml: ${placeOf(error)}${wordsOf(error, text)}`);
  }
}

/**
 * Returns the limit of levels in a form that counts. The parser returns all events of a text at once and has no limit of
 * its own for them, but it compares each node that it begins with its limit of levels.
 *
 * @throws {TooLargeError} from that comparison, if a text has far more nodes than an object may have
 */
function depthThatCounts(): number {
  let begun = 0;
  const counted = {
    valueOf: () => {
      begun += 1;
      if (begun > MOST_BEGUN) throw tooManyNodes();
      return MOST_YAML_DEPTH + 1;
    },
  };
  return counted as unknown as number;
}

function placeOf({ mark }: YAMLException): string {
  return mark === undefined ? '' : `line ${mark.line + 1}: `;
}

/** Returns Go's message for the most common faults, otherwise the parser's. */
function wordsOf({ reason, mark }: YAMLException, text: string): string {
  if (reason.startsWith('nesting exceeded maxDepth')) return YAML_DEPTH_EXCEEDED;
  const isColon = mark !== undefined && text.charAt(mark.position) === ':';
  return isColon && reason.startsWith('bad indentation')
    ? 'mapping values are not allowed in this context'
    : reason;
}
