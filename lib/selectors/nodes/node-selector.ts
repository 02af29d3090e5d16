import type { FieldError } from '../field-error.ts';
import {
  createFieldSelector,
  everyField,
  type FieldRequirement,
  type FieldSelector,
} from '../field-selector.ts';
import { parseInt64 } from '../int64.ts';
import { invalid, labelKeyErrors, labelValueErrors } from '../label-syntax.ts';
import type { LabelSet } from '../labels.ts';
import { createRequirement, type Operator } from '../requirement.ts';
import { createSelector, type Selector } from '../selector.ts';
import { SelectorError } from '../selector-error.ts';
import { type NodeExpression, type NodeTerm, readNodeTerms } from './node-terms.ts';

/** The parts of a node that node selectors read. */
export interface NodeView {
  /** metadata.name. While a node has no name, `matchFields` restrict nothing, as in Kubernetes. */
  readonly name?: string;
  readonly labels: LabelSet;
}

/** One term: all its expressions and fields must hold. */
export interface NodeSelectorTerm {
  /** `matchExpressions`: label requirements, which may also use `Gt` and `Lt`. */
  readonly labels: Selector;
  /** `matchFields` */
  readonly fields: FieldSelector;
}

/** Matches a node that meets at least one term. Empty terms match nothing and are left out. */
export interface NodeSelector {
  readonly terms: readonly NodeSelectorTerm[];
  matches(node: NodeView): boolean;
}

/** A node selector as the scheduler reads it: invalid terms match nothing, and the others still count. */
export interface NodeSelectorReading {
  readonly selector: NodeSelector;
  readonly errors: readonly FieldError[];
}

/**
 * Converts a v1.NodeSelector object to a node selector, as k8s.io/component-helpers' nodeaffinity.NewNodeSelector
 * does. The caller decides what an absent selector means: a pod without one fits every node.
 * @param path the object's path, for the errors
 * @throws SelectorError with every error
 */
export function fromNodeSelector(object: unknown, path = ''): NodeSelector {
  const { selector, errors } = readNodeSelector(object, path);
  if (errors.length > 0) throw SelectorError.of(errors);
  return selector;
}

/** Like `fromNodeSelector`, but continues after errors, as nodeaffinity.NewLazyErrorNodeSelector does. */
export function readNodeSelector(object: unknown, path = ''): NodeSelectorReading {
  const { terms, errors } = readNodeTerms(object, path);
  if (errors.length > 0) return { selector: new AnyTerm([]), errors };
  const readings = terms.filter((term) => !isEmpty(term)).map(readTerm);
  return {
    selector: new AnyTerm(readings.flatMap(({ term }) => term ?? [])),
    errors: readings.flatMap((reading) => reading.errors),
  };
}

class AnyTerm implements NodeSelector {
  readonly terms: readonly NodeSelectorTerm[];

  constructor(terms: readonly NodeSelectorTerm[]) {
    this.terms = terms;
  }

  matches({ name = '', labels }: NodeView): boolean {
    const read = (field: string) => (field === 'metadata.name' ? name : '');
    return this.terms.some(
      (term) => term.labels.matches(labels) && (name === '' || term.fields.matches(read)),
    );
  }
}

interface TermReading {
  readonly term?: NodeSelectorTerm;
  readonly errors: readonly FieldError[];
}

/** The longest valid key: a prefix of 253, a slash and a name of 63. */
const LONGEST_KEY = 317;

const LABEL_OPERATORS: ReadonlyMap<string, Operator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
  ['Gt', 'gt'],
  ['Lt', 'lt'],
]);
const FIELD_OPERATORS: ReadonlyMap<string, FieldRequirement['operator']> = new Map([
  ['In', '='],
  ['NotIn', '!='],
]);

function isEmpty({ matchExpressions, matchFields }: NodeTerm): boolean {
  return matchExpressions.length === 0 && matchFields.length === 0;
}

function readTerm({ matchExpressions, matchFields }: NodeTerm): TermReading {
  const errors = [...matchExpressions.flatMap(labelErrors), ...matchFields.flatMap(fieldErrors)];
  if (errors.length > 0) return { errors };
  const requirements = matchExpressions.flatMap(({ key, operator, values }) => {
    const known = LABEL_OPERATORS.get(operator);
    return known === undefined ? [] : createRequirement(key, known, values ?? []);
  });
  const asked = matchFields.flatMap(({ key, operator, values }) => {
    const known = FIELD_OPERATORS.get(operator);
    return known === undefined ? [] : { field: key, operator: known, value: values?.[0] ?? '' };
  });
  const fields = asked.length === 0 ? everyField : createFieldSelector(asked);
  return { term: { labels: createSelector(requirements), fields }, errors };
}

/** The errors of k8s.io/apimachinery's labels.NewRequirement. */
function labelErrors({ path, key, operator, values }: NodeExpression): FieldError[] {
  const known = LABEL_OPERATORS.get(operator);
  if (known === undefined) return [notSupported(path, operator, LABEL_OPERATORS)];
  const field = `${path}.values`;
  const listed = values ?? [];
  const countError = countErrorOf(known, listed.length);
  const isBound = known === 'gt' || known === 'lt';
  // Each invalid value's path contains the key. A huge key is thus reported alone, or the errors would grow
  // quadratically.
  const named = key.length > LONGEST_KEY ? [] : listed;
  return [
    ...joined(`${path}.key`, key, labelKeyErrors(key)),
    ...(countError === undefined ? [] : [badValues(field, values, countError)]),
    ...listed.flatMap((value, index) =>
      isBound && parseInt64(value) === undefined
        ? [invalid(`${field}[${index}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer")]
        : [],
    ),
    ...named.flatMap((value, index) => joined(`${field}[${index}][${key}]`, value, labelValueErrors(value))),
  ];
}

function countErrorOf(operator: Operator, count: number): string | undefined {
  if (operator === 'in' || operator === 'notin') {
    return count > 0 ? undefined : "for 'in', 'notin' operators, values set can't be empty";
  }
  if (operator === 'gt' || operator === 'lt') {
    return count === 1 ? undefined : "for 'Gt', 'Lt' operators, exactly one value is required";
  }
  return count === 0 ? undefined : 'values set must be empty for exists and does not exist';
}

/**
 * The errors of a field expression. `validateNodeSelector` checks which fields exist; here an unknown one counts as
 * empty.
 */
function fieldErrors({ path, operator, values }: NodeExpression): FieldError[] {
  if (!FIELD_OPERATORS.has(operator)) return [notSupported(path, operator, FIELD_OPERATORS)];
  return values?.length === 1 ? [] : [badValues(`${path}.values`, values, 'must have one element')];
}

/** An error about a list of values. An absent list is printed as in Go. */
function badValues(field: string, values: readonly string[] | null, detail: string): FieldError {
  return values === null
    ? { type: 'Invalid', field, detail: `[]string(nil): ${detail}` }
    : invalid(field, values, detail);
}

function notSupported(path: string, operator: string, known: ReadonlyMap<string, unknown>): FieldError {
  const supported = [...known.keys()].map((name) => `"${name}"`).join(', ');
  return {
    type: 'NotSupported',
    field: `${path}.operator`,
    value: operator,
    detail: `supported values: ${supported}`,
  };
}

/** All errors of one text, as one error. */
function joined(field: string, value: string, details: readonly string[]): FieldError[] {
  return details.length === 0 ? [] : [invalid(field, value, details.join('; '))];
}
