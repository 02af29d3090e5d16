import type { Asked, Operation, Snapshot } from '../history.ts';

/** `default/web@5 (token t3)`. */
export function describeSnapshot({ object, rv, token }: Snapshot): string {
  return `${object}@${rv} (token ${token})`;
}

/** `writer-1: update default/web of token t3 at 10..14: ok@5`. */
export function describeOperation(operation: Operation): string {
  const { client, kind, object, invoked, returned, outcome, reason, expected, wrote, answer } = operation;
  const precondition = expected === undefined ? '' : ` if @${expected}`;
  const token = wrote === undefined ? '' : ` of token ${wrote.token}`;
  const end = answer === undefined ? (reason ?? '') : `@${answer.rv}`;
  return `${client}: ${kind} ${object}${token}${precondition} at ${invoked}..${returned ?? ''}: ${outcome} ${end}`;
}

/** `namespace=default,labels=app=x`, or `everything`. */
export function describeAsked({ namespace, namespaces, labelSelector, fieldSelector, anyOf }: Asked): string {
  const parts = {
    namespace,
    namespaces: namespaces?.join(),
    labels: labelSelector,
    fields: fieldSelector,
    within: anyOf?.join(' or '),
  };
  const said = Object.entries(parts).flatMap(([name, value]) =>
    value === undefined || (value === '' && name !== 'namespaces') ? [] : [`${name} ${value}`],
  );
  return said.join('; ') || 'everything';
}
