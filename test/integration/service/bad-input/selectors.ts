import { type BadRequest, badRequest, PODS } from './bad-request.ts';

/** Malformed label selectors, and the parts of them that the message quotes. */
const LABEL_SELECTORS: readonly (readonly [selector: string, ...says: string[]])[] = [
  ['environment in production', "found 'production' expected: '('"],
  ['environment in (production', "found ''", "expected: ',' or ')'"],
  ['environment in (production))', "found ')', expected: ',' or 'end of string'"],
  ['environment notin', "found '' expected: '('"],
  ['environment production', "found 'production', expected: in, notin, =, ==, !=, gt, lt"],
  ['a=b=c', "found '='"],
  ['a===b', "found '='"],
  ['=a', "found '='"],
  [',a=b', "found ','"],
  ['a=b,', "found ''", "expected: identifier after ','"],
  ['!', "found ''", 'expected: identifier'],
  ['!a=b', "found '='"],
  ['(a)', "found '('"],
  ['-a=b', '"-a"', 'name part must consist of alphanumeric characters'],
  ['a/b/c=d', '"a/b/c"', "a qualified name must consist of alphanumeric characters, '-', '_' or '.'"],
  ['Exa_mple.com/a=b', '"Exa_mple.com/a"', 'prefix part', 'a lowercase RFC 1123 subdomain'],
  [`${'k'.repeat(64)}=v`, `"${'k'.repeat(64)}"`, 'name part must be no more than 63'],
  ['a=-b', '"-b"', 'a valid label must be an empty string or consist of alphanumeric characters'],
  ['a in (ok,n@t)', '"n@t"', 'a valid label'],
  [`a=${'v'.repeat(64)}`, `"${'v'.repeat(64)}"`, 'must be no more than 63'],
  ['a>high', '"high"', 'the value must be an integer'],
  ['a<1.5', '"1.5"', 'the value must be an integer'],
];

const FIELD_SELECTORS: readonly (readonly [selector: string, ...says: string[]])[] = [
  ['spec.color=red', 'field label not supported: spec.color'],
  ['metadata.labels.app=web', 'field label not supported: metadata.labels.app'],
  ['metadata.name', "invalid selector: 'metadata.name'; can't understand 'metadata.name'"],
  ['metadata.name=a,status.phase', "can't understand 'status.phase'"],
  ['metadata.name=a\\b', 'invalid field selector: invalid escape sequence: \\b'],
];

const query = (name: string, text: string) => new URLSearchParams({ [name]: text });

export const selectors: readonly BadRequest[] = [
  ...LABEL_SELECTORS.map(([text, ...says]) => ({
    title: `labelSelector ${text}`,
    path: `${PODS}?${query('labelSelector', text)}`,
    ...badRequest,
    says,
  })),
  ...FIELD_SELECTORS.map(([text, ...says]) => ({
    title: `fieldSelector ${text}`,
    path: `${PODS}?${query('fieldSelector', text)}`,
    ...badRequest,
    says,
  })),
  {
    title: 'a field of another type',
    path: '/api/v1/namespaces/default/configmaps?fieldSelector=status.phase%3DRunning',
    ...badRequest,
    says: ['"status.phase" is not a known field selector'],
  },
  {
    title: 'a malformed selector of a watch',
    path: `${PODS}?watch=true&labelSelector=a+in+b`,
    ...badRequest,
    says: ["found 'b' expected: '('"],
  },
  {
    title: 'a malformed selector of a deletecollection, which deletes nothing',
    method: 'DELETE',
    path: `${PODS}?labelSelector=a+in+b`,
    ...badRequest,
    says: ["found 'b' expected: '('"],
  },
  {
    title: 'a malformed selector in all namespaces',
    path: '/api/v1/pods?labelSelector=%21%21a',
    ...badRequest,
    says: ["found '!'"],
  },
];
