import { type Event, parseEvents, YAMLException } from 'js-yaml';
import { composeYaml, MOST_YAML_DEPTH, YAML_DEPTH_EXCEEDED } from './compose-yaml.ts';
import { EncodingError } from './encoding-error.ts';
import type { ReadYaml } from './yaml-options.ts';

/** Matches a line that starts or ends a document, with the line break before it. */
const MARKER = /(?:^|[\n\r])(---|\.\.\.)(?=[ \t\r\n]|$)/g;

/** Matches a character of a document's content, which is not a blank, a comment or a directive. */
const CONTENT = /(?:^|[\n\r])[ \t]*[^ \t\r\n#%]/;

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
    return parseEvents(text, { maxDepth: MOST_YAML_DEPTH + 1 });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    throw new EncodingError(`yaml: ${placeOf(error)}${wordsOf(error, text)}`);
  }
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
