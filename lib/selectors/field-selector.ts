import { SelectorError } from './selector-error.ts';
import { compareUtf8 } from './utf8.ts';

/** One condition on one field. `==` is read as `=`. */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** A condition on an object's fields: all requirements must hold. Immutable. */
export interface FieldSelector {
  readonly requirements: readonly FieldRequirement[];
  readonly isEmpty: boolean;
  /** Whether an object matches. `read` returns a field's value by its path; undefined counts as the empty value. */
  matches(read: (field: string) => string | undefined): boolean;
  toString(): string;
}

class FieldTerms implements FieldSelector {
  readonly requirements: readonly FieldRequirement[];
  readonly isEmpty: boolean;

  constructor(requirements: readonly FieldRequirement[]) {
    this.requirements = requirements;
    this.isEmpty = requirements.length === 0;
  }

  matches(read: (field: string) => string | undefined): boolean {
    return this.requirements.every(
      ({ field, operator, value }) => ((read(field) ?? '') === value) === (operator === '='),
    );
  }

  toString(): string {
    return this.requirements.map(print).join(',');
  }
}

/** Matches every object. */
export const everyField: FieldSelector = /* @__PURE__ */ new FieldTerms([]);

/** Creates the conjunction of at least one requirement. */
export function createFieldSelector(requirements: readonly FieldRequirement[]): FieldSelector {
  return new FieldTerms(requirements);
}

/**
 * Parses `?fieldSelector=`: `metadata.name=a,status.phase!=Running`. In a value a backslash escapes `\`, `,` and `=`.
 * Blanks are significant. The caller checks which fields exist. Accepts exactly what
 * k8s.io/apimachinery/pkg/fields.ParseSelector accepts.
 * @throws SelectorError with Kubernetes' message
 */
export function parseFieldSelector(text: string): FieldSelector {
  const terms = splitTerms(text).filter((term) => term !== '');
  const requirements = terms.sort(compareUtf8).map((term) => readTerm(term, text));
  // Kubernetes drops a requirement that names no field and no value.
  const kept = requirements.filter(({ field, value }) => field !== '' || value !== '');
  return kept.length === 0 ? everyField : new FieldTerms(kept);
}

/** Splits at unescaped commas; the terms keep their escapes. */
function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') {
      at++;
    } else if (text[at] === ',') {
      terms.push(text.slice(start, at));
      start = at + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

/** Parses a term. Its first `=` is the operator, together with a `!` before it or a `=` after it. */
function readTerm(term: string, text: string): FieldRequirement {
  const equals = term.indexOf('=');
  if (equals === -1) throw new SelectorError(`invalid selector: '${text}'; can't understand '${term}'`);
  if (term[equals - 1] === '!') {
    return { field: term.slice(0, equals - 1), operator: '!=', value: unescapeValue(term.slice(equals + 1)) };
  }
  const valueStart = term[equals + 1] === '=' ? equals + 2 : equals + 1;
  return { field: term.slice(0, equals), operator: '=', value: unescapeValue(term.slice(valueStart)) };
}

function unescapeValue(written: string): string {
  return written.replace(/\\(.?)|[,=]/gsu, (found, escaped: string | undefined) => {
    if (escaped === undefined) {
      // Kubernetes prints the character's code point.
      throw new SelectorError(
        `invalid field selector: unescaped character in value: ${found.codePointAt(0)}`,
      );
    }
    if (escaped === '\\' || escaped === ',' || escaped === '=') return escaped;
    throw new SelectorError(`invalid field selector: invalid escape sequence: ${found}`);
  });
}

function print({ field, operator, value }: FieldRequirement): string {
  return `${field}${operator}${value.replace(/[\\,=]/g, '\\$&')}`;
}
