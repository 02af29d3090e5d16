import { endOfString, endOfValue } from '../../json/index.ts';
import { type ObjectState, storedText } from '../../store/index.ts';

/** Whether an object keeps its apiVersion and kind. The members of a list of built-in kinds have none. */
type Typing = 'typed' | 'untyped';

const QUOTE = 0x22;
const COMMA = 0x2c;

/**
 * The JSON of an object as clients see it, made from its stored text: it equals the JSON of `toObject(state)`. Only
 * `metadata`, and what precedes it, is looked at, so this takes a fraction of the time of parsing and encoding.
 *
 * @returns undefined if the object must be encoded: it has no stored text, or an unusual one
 */
export function storedJson(state: ObjectState, typing: Typing): string | undefined {
  if (state.rv === 0) return undefined;
  const text = storedText(state);
  return text && withVersion(text, state.rv, typing);
}

function withVersion(text: string, rv: number, typing: Typing): string | undefined {
  let kept = '{';
  let hasMetadata = false;
  let typesLeft = typing === 'untyped' ? 2 : 0;
  let at = 1;
  while (text.charCodeAt(at) === QUOTE && (!hasMetadata || typesLeft > 0)) {
    const colon = endOfString(text, at);
    const end = endOfValue(text, colon + 1);
    const name = text.slice(at + 1, colon - 1);
    if (typing === 'untyped' && (name === 'apiVersion' || name === 'kind')) {
      typesLeft -= 1;
    } else {
      const value = text.slice(colon + 1, end);
      const shown = name === 'metadata' ? versioned(value, rv) : value;
      if (shown === undefined) return undefined;
      hasMetadata ||= name === 'metadata';
      kept += `${kept.length > 1 ? ',' : ''}${text.slice(at, colon)}:${shown}`;
    }
    at = text.charCodeAt(end) === COMMA ? end + 1 : end;
  }
  if (!hasMetadata) return undefined;
  const more = text.charCodeAt(at) === QUOTE && kept.length > 1;
  return `${kept}${more ? ',' : ''}${text.slice(at)}`;
}

/** Adds the resourceVersion to the text of the metadata; undefined if it is no object, or may have a resourceVersion. */
function versioned(metadata: string, rv: number): string | undefined {
  if (!metadata.startsWith('{') || metadata.includes('"resourceVersion":')) return undefined;
  return `${metadata.slice(0, -1)}${metadata === '{}' ? '' : ','}"resourceVersion":"${rv}"}`;
}
