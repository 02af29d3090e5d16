import { type FieldError, formatFieldErrors } from './field-error.ts';
import { parseInt64 } from './int64.ts';
import { invalid, labelKeyErrors, labelValueErrors } from './label-syntax.ts';
import { Lexer, type Token } from './lexer.ts';
import { createRequirement, type LabelRequirement, type Operator } from './requirement.ts';
import { createSelector, type Selector } from './selector.ts';
import { SelectorError } from './selector-error.ts';
import { compareUtf8 } from './utf8.ts';

/** Operators by their spelling between a key and its value. */
const BINARY_OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ['in', 'in'],
  ['notin', 'notin'],
  ['=', '='],
  ['==', '=='],
  ['!=', '!='],
  ['>', 'gt'],
  ['<', 'lt'],
]);

/**
 * Parses a label selector as `kubectl -l` and `?labelSelector=` accept it: requirements separated by commas.
 *
 *     environment=production,tier!=frontend       x==a   x>5   x<5
 *     environment in (production,qa),!partition   x notin ()   x=
 *
 * An empty text is `everything`. Accepts what labels.Parse of k8s.io/apimachinery 0.33.2 accepts; its later versions
 * also accept `x in (a,,)`.
 * @throws SelectorError with Kubernetes' message
 */
export function parseSelector(text: string): Selector {
  const lexer = new Lexer(text);
  const first = lexer.peek();
  if (first.kind !== 'end' && !beginsRequirement(first)) {
    throw new SelectorError(`found '${first.text}', expected: !, identifier, or 'end of string'`);
  }
  const requirements: LabelRequirement[] = [];
  for (let more = first.kind !== 'end'; more; more = readSeparator(lexer)) {
    requirements.push(readRequirement(lexer));
  }
  return createSelector(requirements);
}

/** Returns true after a comma, which a requirement must follow; false at the end. */
function readSeparator(lexer: Lexer): boolean {
  const separator = lexer.next();
  if (separator.kind === 'end') return false;
  if (!isSymbol(separator, ',')) {
    throw new SelectorError(`found '${separator.text}', expected: ',' or 'end of string'`);
  }
  const next = lexer.peek();
  if (!beginsRequirement(next)) {
    throw new SelectorError(`found '${next.text}', expected: identifier after ','`);
  }
  return true;
}

function readRequirement(lexer: Lexer): LabelRequirement {
  const negated = isSymbol(lexer.peek(), '!');
  if (negated) lexer.next();
  const key = readKey(lexer);
  if (negated) return createRequirement(key, '!', []);
  if (endsRequirement(lexer.peek())) return createRequirement(key, 'exists', []);
  const operator = readOperator(lexer);
  const isSet = operator === 'in' || operator === 'notin';
  const values = isSet ? readValueSet(lexer) : [readValue(lexer)];
  const errors = valueErrors(key, operator, values);
  if (errors.length > 0) throw refusal(formatFieldErrors(errors), errors);
  return createRequirement(key, operator, values);
}

function readKey(lexer: Lexer): string {
  const token = lexer.next();
  if (token.kind !== 'word') throw refusal(`found '${token.text}', expected: identifier`);
  const details = labelKeyErrors(token.text);
  if (details.length === 0) return token.text;
  // Kubernetes has no path for a key in a text, and prints `<nil>`.
  const error = invalid('<nil>', token.text, details.join('; '));
  throw refusal(formatFieldErrors([error]), [error]);
}

function readOperator(lexer: Lexer): Operator {
  const token = lexer.next();
  const operator = BINARY_OPERATORS.get(token.text);
  if (operator !== undefined) return operator;
  throw refusal(`found '${token.text}', expected: in, notin, =, ==, !=, gt, lt`);
}

/** Reads the value after `=` and similar operators. A missing value is the empty value. */
function readValue(lexer: Lexer): string {
  if (endsRequirement(lexer.peek())) return '';
  const token = lexer.next();
  if (token.kind === 'word') return token.text;
  throw refusal(`found '${token.text}', expected: identifier`);
}

/**
 * Reads a list such as `(a,b)`; sorted and without duplicates. Nothing before, after or between commas is the empty
 * value.
 */
function readValueSet(lexer: Lexer): string[] {
  const open = lexer.next();
  if (!isSymbol(open, '(')) throw refusal(`found '${open.text}' expected: '('`);
  const first = lexer.peek();
  if (first.kind !== 'word' && !isSymbol(first, ',') && !isSymbol(first, ')')) {
    throw refusal(`found '${first.text}', expected: ',', ')' or identifier`);
  }
  const values = isSymbol(first, ')') ? new Set(['']) : readListedValues(lexer);
  lexer.next();
  return [...values].sort(compareUtf8);
}

/**
 * Reads values up to the closing parenthesis. As in Kubernetes 1.33, a comma consumes a directly following comma, and
 * `)` must not follow that.
 */
function readListedValues(lexer: Lexer): Set<string> {
  const values = new Set<string>();
  while (!isSymbol(lexer.peek(), ')')) {
    const token = lexer.next();
    if (token.kind === 'word') {
      values.add(token.text);
      requireSeparator(lexer.peek());
    } else if (isSymbol(token, ',')) {
      readEmptyValues(lexer, values);
    } else {
      throw refusal(`found '${token.text}', expected: ',', or identifier`);
    }
  }
  return values;
}

function requireSeparator(token: Token): void {
  if (isSymbol(token, ',') || isSymbol(token, ')')) return;
  throw refusal(`found '${token.text}', expected: ',' or ')'`);
}

/** Adds the empty values around a comma that was just read: before it, after it, and between two commas. */
function readEmptyValues(lexer: Lexer, values: Set<string>): void {
  if (values.size === 0) values.add('');
  if (isSymbol(lexer.peek(), ')')) {
    values.add('');
  } else if (isSymbol(lexer.peek(), ',')) {
    lexer.next();
    values.add('');
    const after = lexer.peek();
    if (isSymbol(after, ')')) throw refusal(`found '${after.text}', expected: ',', or identifier`);
  }
}

function valueErrors(key: string, operator: Operator, values: readonly string[]): FieldError[] {
  const isComparison = operator === 'gt' || operator === 'lt';
  const notIntegers = isComparison ? values.filter((value) => parseInt64(value) === undefined) : [];
  return [
    ...notIntegers.map((value) =>
      invalid('values[0]', value, "for 'Gt', 'Lt' operators, the value must be an integer"),
    ),
    ...values.flatMap((value, index) => {
      const details = labelValueErrors(value);
      return details.length === 0 ? [] : [invalid(`values[${index}][${key}]`, value, details.join('; '))];
    }),
  ];
}

function refusal(message: string, errors: readonly FieldError[] = []): SelectorError {
  return new SelectorError(`unable to parse requirement: ${message}`, errors);
}

function beginsRequirement(token: Token): boolean {
  return token.kind === 'word' || isSymbol(token, '!');
}

function endsRequirement(token: Token): boolean {
  return token.kind === 'end' || isSymbol(token, ',');
}

function isSymbol(token: Token, text: string): boolean {
  return token.kind === 'symbol' && token.text === text;
}
