import { expect, test } from '@jest/globals';
import { denialOf } from './support.ts';

const long = (bytes: number) => `'${'é'.repeat(bytes / 2)}'`;

test.each([
  ["'replicas: ' + string(object.replicas)", '', 'replicas: 6'],
  ["'replicas: ' + string(object.replicas)", 'fixed', 'replicas: 6'],
  ["'  spaces  '", '', 'spaces'],
  ['string(object.missing)', 'fixed', 'fixed'],
  ['string(object.missing)', '', 'failed expression: object.replicas < 6'],
  ["'two\\nlines'", 'fixed', 'fixed'],
  ["'   '", ' fixed ', 'fixed'],
  ["'   '", '  ', 'failed expression: object.replicas < 6'],
  [long(5120), 'fixed', 'é'.repeat(2560)],
  [long(5122), 'fixed', 'fixed'],
  ['object.replicas', 'fixed', 'fixed'],
  ["string(authorizer.path('/x').check('get').allowed())", 'fixed', 'fixed'],
  ['object.', 'fixed', 'fixed'],
])(
  'A message expression gives the message if its value is usable: %s',
  (messageExpression, message, expected) => {
    const spec = { validations: [{ expression: 'object.replicas < 6', messageExpression, message }] };
    expect(denialOf({ spec, object: { replicas: 6 } })).toBe(expected);
  },
);

test('A message expression may read a variable that asks the authorizer, and then fails', () => {
  const spec = {
    variables: [{ name: 'mayRead', expression: "authorizer.path('/x').check('get').allowed()" }],
    validations: [
      { expression: 'variables.mayRead', messageExpression: 'string(variables.mayRead)', message: 'fixed' },
    ],
  };
  expect(denialOf({ spec })).toBe('fixed');
});

test('The messages of other validations do not depend on a message expression that fails', () => {
  const spec = {
    validations: [
      { expression: 'true', messageExpression: 'object.missing' },
      { expression: 'false', messageExpression: "'second'" },
    ],
  };
  expect(denialOf({ spec })).toBe('second');
});
