import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../lib/json/index.ts';
import { findResourceType, type ResourceType } from '../../../../lib/kubernetes/resource-types/index.ts';
import { objectErrors } from '../../../../lib/kubernetes/validation/index.ts';
import { formatFieldError } from '../../../../lib/selectors/index.ts';

const metadata = { name: 'p', uid: 'u', creationTimestamp: '2020-01-01T00:00:00Z', resourceVersion: '1' };

function typeOf(resource: string): ResourceType {
  const type = findResourceType('admissionregistration.k8s.io', 'v1', resource);
  if (type === undefined) throw new Error(`no type ${resource}`);
  return type;
}

const POLICIES = typeOf('validatingadmissionpolicies');
const BINDINGS = typeOf('validatingadmissionpolicybindings');
const VALIDATING = typeOf('validatingwebhookconfigurations');
const MUTATING = typeOf('mutatingwebhookconfigurations');

const RULE = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'], scope: '*' };
const MATCH = { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {}, resourceRules: [RULE] };

function policy(spec: JsonObject): JsonObject {
  const validations = [{ expression: 'true' }];
  return { metadata, spec: { failurePolicy: 'Fail', matchConstraints: MATCH, validations, ...spec } };
}

async function errorsOf(type: ResourceType, body: JsonObject, old?: JsonObject): Promise<string[]> {
  return (await objectErrors({ type, body, old })).map(formatFieldError);
}

describe('a ValidatingAdmissionPolicy', () => {
  test.each<[JsonObject, string[]]>([
    [{}, []],
    [{ failurePolicy: null }, ['spec.failurePolicy: Required value']],
    [
      { failurePolicy: '' },
      ['spec.failurePolicy: Unsupported value: "": supported values: "Fail", "Ignore"'],
    ],
    [{ matchConstraints: null }, ['spec.matchConstraints: Required value']],
    [
      { matchConstraints: { ...MATCH, resourceRules: [] } },
      ['spec.matchConstraints.resourceRules: Required value'],
    ],
    [
      { validations: [] },
      [
        'spec.validations: Required value: validations or auditAnnotations must contain at least one item',
        'spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item',
      ],
    ],
    [
      { validations: [{ expression: ' ' }] },
      ['spec.validations[0].expression: Required value: expression is not specified'],
    ],
    [
      { validations: [{ expression: 'object.a' }] },
      ['spec.validations[0].expression: Invalid value: "object.a": must evaluate to bool but got dyn'],
    ],
    [
      { validations: [{ expression: 'params == null' }] },
      [
        'spec.validations[0].expression: Invalid value: "params == null": compilation failed: ' +
          "ERROR: <input>:1:1: undeclared reference to 'params' (in container '')\n | params == null\n | ^",
      ],
    ],
    [
      { validations: [{ expression: "object.a.matches('a(')" }] },
      [
        'spec.validations[0].expression: Invalid value: "object.a.matches(\'a(\')": compilation failed: ' +
          "ERROR: <input>:1:18: invalid matches argument\n | object.a.matches('a(')\n | .................^",
      ],
    ],
    [
      { validations: [{ expression: "isSemver('1.2.3')" }] },
      [
        'spec.validations[0].expression: Invalid value: "isSemver(\'1.2.3\')": compilation failed: ' +
          "ERROR: <input>:1:9: undeclared reference to 'isSemver' (in container '')\n | isSemver('1.2.3')\n | ........^",
      ],
    ],
    [
      { validations: [{ expression: 'true', messageExpression: '1' }] },
      ['spec.validations[0].messageExpression: Invalid value: "1": must evaluate to string but got int'],
    ],
    [
      { validations: [{ expression: 'true', messageExpression: ' ' }] },
      ['spec.validations[0].messageExpression: Invalid value: " ": must be non-empty if specified'],
    ],
    [
      { validations: [{ expression: 'true', message: 'a\nb', reason: 'Other' }] },
      [
        'spec.validations[0].message: Invalid value: "a\\nb": message must not contain line breaks',
        'spec.validations[0].reason: Unsupported value: "Other": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"',
      ],
    ],
    [
      { validations: [{ expression: 'true', message: ' ' }] },
      ['spec.validations[0].message: Invalid value: " ": message must be non-empty if specified'],
    ],
  ])('with %j is checked', async (spec, errors) => {
    expect(await errorsOf(POLICIES, policy(spec))).toEqual(errors);
  });

  test('may ask the authorizer, but not in the expression of a message', async () => {
    const expression = "authorizer.path('/x').check('get').allowed()";
    const messageExpression = `string(${expression})`;
    const [error, ...others] = await errorsOf(
      POLICIES,
      policy({ validations: [{ expression, messageExpression }] }),
    );
    expect(error).toMatch(/^spec.validations\[0\].messageExpression: .*undeclared reference to 'authorizer'/);
    expect(others).toEqual([]);
  });

  test.each<[JsonObject, string[]]>([
    [{ name: 'a', expression: 'object.a' }, []],
    [{ name: '', expression: '1' }, ['name: Required value: name is not specified']],
    [{ name: 'a-b', expression: '1' }, ['name: Invalid value: "a-b": name is not a valid CEL identifier']],
    [{ name: 'in', expression: '1' }, ['name: Invalid value: "in": name is not a valid CEL identifier']],
    [{ name: 'a', expression: '' }, ['expression: Required value: expression is not specified']],
    [
      { name: 'a', expression: 'variables.b' },
      [
        'expression: Invalid value: "variables.b": compilation failed: ' +
          "ERROR: <input>:1:10: undefined field 'b'\n | variables.b\n | .........^",
      ],
    ],
  ])('with the variable %j is checked', async (variable, errors) => {
    const wanted = errors.map((error) => `spec.variables[0].${error}`);
    expect(await errorsOf(POLICIES, policy({ variables: [variable] }))).toEqual(wanted);
  });

  test('has variables that later expressions know by their types', async () => {
    const variables = [
      { name: 'a', expression: '1' },
      { name: 'b', expression: 'variables.a + 1' },
    ];
    const good = { variables, validations: [{ expression: 'variables.b == 2' }] };
    expect(await errorsOf(POLICIES, policy(good))).toEqual([]);
    const wrong = { variables, validations: [{ expression: "variables.b == 'x'" }] };
    expect((await errorsOf(POLICIES, policy(wrong))).join()).toContain("applied to '(int, string)'");
    const without = policy({ validations: [{ expression: 'variables.b == 2' }] });
    expect((await errorsOf(POLICIES, without)).join()).toContain("undeclared reference to 'variables'");
  });

  test.each<[JsonObject[], string[]]>([
    [[{ name: 'a', expression: ' true ' }], []],
    [[{ name: 'a', expression: '' }], ['spec.matchConditions[0].expression: Required value']],
    [[{ name: '', expression: 'true' }], ['spec.matchConditions[0].name: Required value']],
    [
      [
        { name: 'a', expression: 'true' },
        { name: 'a', expression: ' 1 ' },
      ],
      [
        'spec.matchConditions[1].expression: Invalid value: "1": must evaluate to bool but got int',
        'spec.matchConditions[1].name: Duplicate value: "a"',
      ],
    ],
    [
      Array.from({ length: 65 }, (_, at) => ({ name: `a${at}`, expression: 'true' })),
      ['spec.matchConditions: Too many: 65: must have at most 64 items'],
    ],
  ])('with the match conditions %j is checked', async (matchConditions, errors) => {
    expect(await errorsOf(POLICIES, policy({ matchConditions }))).toEqual(errors);
  });

  test('has match conditions that see parameters, but no variables', async () => {
    const matchConditions = [{ name: 'a', expression: 'params.a == 1' }];
    const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
    expect(await errorsOf(POLICIES, policy({ paramKind, matchConditions }))).toEqual([]);
    const variables = [{ name: 'a', expression: '1' }];
    const reading = [{ name: 'a', expression: 'variables.a == 1' }];
    const errors = await errorsOf(POLICIES, policy({ variables, matchConditions: reading }));
    expect(errors.join()).toContain("undeclared reference to 'variables'");
  });

  test.each<[JsonObject, string[]]>([
    [{ key: 'a', valueExpression: " 'x' " }, []],
    [{ key: 'a', valueExpression: 'null' }, []],
    [
      { key: 'a', valueExpression: '1' },
      ['valueExpression: Invalid value: "1": must evaluate to one of [string null_type] but got int'],
    ],
    [
      { key: 'a', valueExpression: ' ' },
      ['valueExpression: Required value: valueExpression is not specified'],
    ],
    [
      { key: 'a', valueExpression: `'${'a'.repeat(5120)}'` },
      ['valueExpression: Required value: must not exceed 5120 bytes in length'],
    ],
  ])('with the audit annotation %j is checked', async (annotation, errors) => {
    const wanted = errors.map((error) => `spec.auditAnnotations[0].${error}`);
    expect(await errorsOf(POLICIES, policy({ auditAnnotations: [annotation] }))).toEqual(wanted);
  });

  test('has at most 20 audit annotations with different keys, which are part of a qualified name', async () => {
    const auditAnnotations = Array.from({ length: 21 }, () => ({ key: 'a', valueExpression: "'x'" }));
    const [many, ...others] = await errorsOf(POLICIES, policy({ auditAnnotations }));
    expect(many).toMatch(
      /^spec.auditAnnotations: Invalid value: \[\]admissionregistration.AuditAnnotation{admissionregistration.AuditAnnotation{Key:"a", ValueExpression:"'x'"}, .*: must not have more than 20 auditAnnotations$/,
    );
    expect(others).toHaveLength(20);
    expect(others[0]).toBe('spec.auditAnnotations[1].key: Duplicate value: "a"');
    const wrong = policy({ auditAnnotations: [{ key: 'a/b', valueExpression: "'x'" }] });
    expect((await errorsOf(POLICIES, wrong)).join()).toContain('Invalid value: "p/a/b"');
  });

  test('keeps expressions that only stored ones may have, and no other', async () => {
    const old = policy({
      validations: [{ expression: "isSemver('1')", messageExpression: "string(isSemver('1'))" }],
      auditAnnotations: [{ key: 'a', valueExpression: "string(isSemver('1'))" }],
      matchConditions: [{ name: 'a', expression: "isSemver('1')" }],
    });
    const moved = policy({
      validations: [
        { expression: 'true' },
        { expression: "isSemver('1')", messageExpression: "string(isSemver('1'))" },
      ],
      auditAnnotations: [
        { key: 'b', valueExpression: "'x'" },
        { key: 'a', valueExpression: "string(isSemver('1'))" },
      ],
      matchConditions: [
        { name: 'b', expression: 'true' },
        { name: 'a', expression: "isSemver('1')" },
      ],
      variables: [{ name: 'a', expression: "isSemver('1')" }],
    });
    expect(await errorsOf(POLICIES, moved, old)).toEqual([]);
    const changed = policy({ validations: [{ expression: "isSemver('2')" }] });
    expect((await errorsOf(POLICIES, changed, old)).join()).toContain("undeclared reference to 'isSemver'");
  });

  test('has errors that are bounded, however many expressions are wrong', async () => {
    const line = Array.from({ length: 100 }, (_, at) => `a${at}${'b'.repeat(150)}`).join(' + ');
    const validations = Array.from({ length: 50 }, () => ({ expression: line }));
    const errors = await errorsOf(POLICIES, policy({ validations }));
    expect(errors).toHaveLength(50);
    expect(errors.join('').length).toBeLessThan(6_000_000);
    expect(errors.at(-1)).toMatch(
      /: not compiled, because the errors before it are too long: correct them first$/,
    );
  });

  test('has patterns that are bounded together', async () => {
    // Each of them has 9,000 instructions.
    const long = 'e{1,900}'.repeat(10);
    const validations = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ expression: `'a'.matches('d${at}${long}')` }));
    expect(await errorsOf(POLICIES, policy({ validations: validations(2) }))).toEqual([]);
    const errors = await errorsOf(POLICIES, policy({ validations: validations(30) }));
    expect(errors.length).toBeGreaterThan(0);
    expect(errors[0]).toContain('program instantiation failed: cannot be matched');
  });

  test('that no longer compiles can be changed elsewhere', async () => {
    const old = policy({ validations: [{ expression: 'object.' }] });
    const failurePolicy = 'Ignore';
    expect(
      await errorsOf(POLICIES, policy({ failurePolicy, validations: [{ expression: 'object.' }] }), old),
    ).toEqual([]);
  });
});

describe('the status of a ValidatingAdmissionPolicy', () => {
  const good = { type: 'A', status: 'True', reason: 'Fine', lastTransitionTime: '2020-01-01T00:00:00Z' };
  const reasonRule =
    "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')";

  test.each<[JsonObject, string[]]>([
    [{ typeChecking: {}, conditions: [good, { ...good, type: 'B' }] }, []],
    [
      { typeChecking: { expressionWarnings: [{ warning: '', fieldRef: ' ' }] } },
      [
        'typeChecking.expressionWarnings[0].warning: Required value',
        'typeChecking.expressionWarnings[0].fieldRef: Required value',
      ],
    ],
    [{ conditions: [good, good] }, ['conditions[1].type: Duplicate value: "A"']],
    [
      { conditions: [{ ...good, status: 'Maybe', observedGeneration: -1 }] },
      [
        'conditions[0].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"',
        'conditions[0].observedGeneration: Invalid value: -1: must be greater than or equal to zero',
      ],
    ],
    [
      { conditions: [{ ...good, reason: '', lastTransitionTime: null }] },
      [
        'conditions[0].lastTransitionTime: Required value: must be set',
        'conditions[0].reason: Required value: must be set',
      ],
    ],
    [{ conditions: [{ ...good, reason: '1' }] }, [`conditions[0].reason: Invalid value: "1": ${reasonRule}`]],
    [
      { conditions: [{ ...good, reason: 'a'.repeat(1025), message: 'a'.repeat(32_769) }] },
      [
        'conditions[0].reason: Too long: may not be more than 1024 bytes',
        'conditions[0].message: Too long: may not be more than 32768 bytes',
      ],
    ],
  ])('with %j is checked', async (status, errors) => {
    const old = policy({});
    const body = { ...old, status };
    const found = await objectErrors({ type: POLICIES, body, old, subresource: 'status' });
    expect(found.map(formatFieldError)).toEqual(errors.map((error) => `status.${error}`));
  });
});

describe('a ValidatingAdmissionPolicyBinding', () => {
  test.each<[JsonObject, string[]]>([
    [{ policyName: 'p', validationActions: ['Deny'] }, []],
    [{ validationActions: ['Deny'] }, ['spec.policyName: Required value']],
    [
      { policyName: 'p', validationActions: ['Deny', 'Warn'] },
      [
        'spec.validationActions: Invalid value: []admissionregistration.ValidationAction{"Deny", "Warn"}: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
      ],
    ],
    [
      { policyName: 'p', validationActions: [] },
      ['spec.validationActions: Required value: at least one validation action is required'],
    ],
    [
      { policyName: 'p', validationActions: ['Deny'], paramRef: {} },
      [
        'spec.paramRef: Required value: one of name or selector must be specified',
        'spec.paramRef.parameterNotFoundAction: Required value',
      ],
    ],
  ])('with %j is checked', async (spec, errors) => {
    expect(await errorsOf(BINDINGS, { metadata, spec })).toEqual(errors);
  });
});

const HOOK = {
  name: 'a.example.com',
  clientConfig: { url: 'https://example.com/x' },
  rules: [RULE],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};

function hooks(...changes: readonly JsonObject[]): JsonObject {
  return { metadata, webhooks: changes.map((change) => ({ ...HOOK, ...change })) };
}

describe('a webhook configuration', () => {
  const service = { namespace: 'n', name: 's', port: 443 };
  const FORM = '; desired format: https://host[/path]';

  test.each<[JsonObject, string[]]>([
    [{}, []],
    [
      { name: 'a.b' },
      ['name: Invalid value: "a.b": should be a domain with at least three segments separated by dots'],
    ],
    [
      { rules: [{ ...RULE, operations: ['LOOK'] }] },
      [
        'rules[0].operations[0]: Unsupported value: "LOOK": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
      ],
    ],
    [
      { rules: [{ ...RULE, resources: ['pods/*', 'pods/log'] }] },
      [
        'rules[0].resources[1]: Invalid value: "pods/log": if \'pods/*\' is present, must not specify pods/log',
      ],
    ],
    [
      { failurePolicy: 'Other' },
      ['failurePolicy: Unsupported value: "Other": supported values: "Fail", "Ignore"'],
    ],
    [
      { matchPolicy: 'Other' },
      ['matchPolicy: Unsupported value: "Other": supported values: "Equivalent", "Exact"'],
    ],
    [{ sideEffects: null }, ['sideEffects: Required value: must specify one of None, NoneOnDryRun']],
    [
      { sideEffects: 'Some' },
      ['sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"'],
    ],
    [
      { timeoutSeconds: 31 },
      ['timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds'],
    ],
    [{ clientConfig: {} }, ['clientConfig: Required value: exactly one of url or service is required']],
    [
      { clientConfig: { url: 'https://a', service } },
      ['clientConfig: Required value: exactly one of url or service is required'],
    ],
    [
      { clientConfig: { url: 'http://a' } },
      [`clientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme${FORM}`],
    ],
    [
      { clientConfig: { url: 'https:///x' } },
      [`clientConfig.url: Invalid value: "": host must be specified${FORM}`],
    ],
    [
      { clientConfig: { url: 'https://u:p@a' } },
      ['clientConfig.url: Invalid value: "u:p": user information is not permitted in the URL'],
    ],
    [
      { clientConfig: { url: 'https://a?q=1#f%20g' } },
      [
        'clientConfig.url: Invalid value: "f g": fragments are not permitted in the URL',
        'clientConfig.url: Invalid value: "q=1": query parameters are not permitted in the URL',
      ],
    ],
    [
      { clientConfig: { url: 'https://a b#c' } },
      [
        `clientConfig.url: Required value: url must be a valid URL: parse "https://a b": invalid character " " in host name${FORM}`,
      ],
    ],
    [
      { clientConfig: { url: 'https://a#%zz' } },
      [
        `clientConfig.url: Required value: url must be a valid URL: parse "https://a#%zz": invalid URL escape "%zz"${FORM}`,
      ],
    ],
    [{ clientConfig: { service } }, []],
    [{ clientConfig: { service: { ...service, path: '/a/b/' } } }, []],
    [
      { clientConfig: { service: { ...service, name: '' } } },
      ['clientConfig.service.name: Required value: service name is required'],
    ],
    [
      { clientConfig: { service: { ...service, namespace: '' } } },
      ['clientConfig.service.namespace: Required value: service namespace is required'],
    ],
    [
      { clientConfig: { service: { ...service, port: 0 } } },
      [
        'clientConfig.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive',
      ],
    ],
    [
      { clientConfig: { service: { ...service, path: '//' } } },
      ['clientConfig.service.path: Invalid value: "//": segment[0] may not be empty'],
    ],
    [
      { clientConfig: { service: { ...service, path: '/a//b' } } },
      ['clientConfig.service.path: Invalid value: "/a//b": segment[1] may not be empty'],
    ],
    [
      { clientConfig: { service: { ...service, path: 'xa' } } },
      ['clientConfig.service.path: Invalid value: "xa": must start with a \'/\''],
    ],
    [
      { admissionReviewVersions: [] },
      ['admissionReviewVersions: Required value: must specify one of v1, v1beta1'],
    ],
    [
      { admissionReviewVersions: ['v2'] },
      ['admissionReviewVersions: Invalid value: []string{"v2"}: must include at least one of v1, v1beta1'],
    ],
    [
      { admissionReviewVersions: ['v1', 'v1'] },
      ['admissionReviewVersions[1]: Invalid value: "v1": duplicate version'],
    ],
    [
      { matchConditions: [{ name: 'a', expression: '1' }] },
      ['matchConditions[0].expression: Invalid value: "1": must evaluate to bool but got int'],
    ],
  ])('with %j is checked', async (change, errors) => {
    const wanted = errors.map((error) => `webhooks[0].${error}`);
    expect(await errorsOf(VALIDATING, hooks(change))).toEqual(wanted);
    expect(await errorsOf(MUTATING, hooks({ ...change, reinvocationPolicy: 'Never' }))).toEqual(wanted);
  });

  test('that mutates has a reinvocation policy', async () => {
    expect(await errorsOf(MUTATING, hooks({ reinvocationPolicy: 'Always' }))).toEqual([
      'webhooks[0].reinvocationPolicy: Unsupported value: "Always": supported values: "IfNeeded", "Never"',
    ]);
  });

  test('has webhooks with different names', async () => {
    expect(await errorsOf(VALIDATING, hooks({}, {}))).toEqual([
      'webhooks[1].name: Duplicate value: "a.example.com"',
    ]);
  });

  test('that breaks a rule already may go on breaking it', async () => {
    const old = hooks({ sideEffects: 'Some', admissionReviewVersions: ['v2'] });
    const more = { name: 'b.example.com', sideEffects: 'Unknown', admissionReviewVersions: ['v3'] };
    const kept = { sideEffects: 'Some', admissionReviewVersions: ['v2'] };
    expect(await errorsOf(VALIDATING, hooks(kept, more), old)).toEqual([]);
    expect(await errorsOf(VALIDATING, hooks({}, more), hooks({}))).toHaveLength(2);
    const twice = hooks({}, {}, { name: 'b.example.com' }, { name: 'b.example.com' });
    expect(await errorsOf(VALIDATING, twice, hooks({}, {}))).toEqual([]);
    expect(await errorsOf(VALIDATING, twice, hooks({}))).toHaveLength(2);
  });

  test('keeps match conditions that only stored ones may have, while their list changes', async () => {
    const matchConditions = [{ name: 'a', expression: "isSemver('1')" }];
    const old = hooks({ matchConditions });
    const more = hooks({ matchConditions: [...matchConditions, { name: 'b', expression: 'true' }] });
    expect(await errorsOf(VALIDATING, more, old)).toEqual([]);
    expect(await errorsOf(VALIDATING, old, hooks({}))).toHaveLength(1);
  });
});
