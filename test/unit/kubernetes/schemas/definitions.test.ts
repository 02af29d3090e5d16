import { describe, expect, it } from '@jest/globals';
import { isJsonObject, type JsonObject, objectAt } from '../../../../lib/json/index.ts';
import { decodeMessage, loadFields } from '../../../../lib/kubernetes/fields/index.ts';
import {
  acceptNames,
  awaitsNames,
  type DefinitionStatus,
  defaultDefinition,
  newDefinition,
  nextDefinition,
  validateDefinition,
} from '../../../../lib/kubernetes/schemas/index.ts';
import type { Recorded } from '../../../golden/recording.ts';
import { METADATA } from './metadata-rules.ts';
import { answerOf, bodyOf, causesOf, RECORDED, toldAs } from './recorded.ts';

const fields = await loadFields();
const message = fields.kind('apiextensions.k8s.io/v1', 'CustomResourceDefinition');
const NOW = '2026-11-22T00:43:28Z';

/** Reads a definition as from a request, with defaults. */
function read(body: JsonObject): JsonObject {
  if (message === undefined) throw new Error('Kubernetes has no such kind');
  return defaultDefinition(decodeMessage(message, body, { fixed: ['apiVersion', 'kind'] }).value);
}

const CREATED = RECORDED.filter(
  ({ method, path, status }) =>
    method === 'POST' &&
    path.startsWith('/apis/apiextensions.k8s.io/v1/') &&
    (status === 422 || status === 201),
);

/**
 * The causes without those of the name, which the metadata rules check. The texts of CEL syntax errors are cut, because
 * CEL's own grammar words them differently.
 */
function ofDefinitions(causes: readonly string[]): string[] {
  return causes
    .filter((cause) => !/metadata\.name: .*RFC 1123/.test(cause))
    .map((cause) => cause.replace(/Syntax error: [^\n]*/, 'Syntax error'));
}

function recorded(n: number): Recorded {
  const found = RECORDED.find((each) => each.n === n);
  if (found === undefined) throw new Error(`no line ${n}`);
  return found;
}

/** The definition that a line of the recording created, as stored. */
function stored(n: number): JsonObject {
  return answerOf(recorded(n));
}

function withStatus(definition: JsonObject, status: DefinitionStatus): JsonObject {
  return { ...definition, status: status as unknown as JsonObject };
}

describe('a CustomResourceDefinition', () => {
  it.each(CREATED.map((each) => [`${each.n} ${each.case}`, each] as const))(
    'a definition is accepted or refused as by a kube-apiserver: %s',
    async (_name, each) => {
      const definition = newDefinition(read(bodyOf(each)));
      const errors = await validateDefinition(definition, METADATA);
      expect(ofDefinitions(toldAs(errors))).toEqual(ofDefinitions(causesOf(each)));
      if (each.status === 201) {
        const { spec, status } = answerOf(each);
        expect({ spec: definition.spec, status: definition.status }).toEqual({ spec, status });
      }
    },
  );

  it.each([
    ['scope change refused', 430, { spec: { scope: 'Cluster' } }],
    [
      'kind and group change refused',
      431,
      { spec: { group: 'g9.example.com', names: { kind: 'Wodget', plural: 'wodgets' } } },
    ],
  ])('a change of an immutable field is refused: %s', async (_name, n, patch) => {
    const old = stored(358);
    const changed = merged(old, patch);
    const errors = await validateDefinition(nextDefinition(changed, old), METADATA, old);
    const told = toldAs(errors).filter((cause) => !cause.includes('metadata.name'));
    expect(told).toEqual(causesOf(recorded(n)));
  });

  it('storedVersions keeps every version that was stored, and such a version cannot be removed', async () => {
    const old = stored(358);
    const [version] = objectAt(old.spec).versions as JsonObject[];
    const versions = [
      { ...version, storage: false },
      { ...version, name: 'v2' },
    ] as JsonObject[];
    const both = nextDefinition(merged(old, { spec: { versions } }), old);
    expect(objectAt(both.status).storedVersions).toEqual(['v1', 'v2']);
    const one = nextDefinition(merged(both, { spec: { versions: versions.slice(1) } }), both);
    expect(toldAs(await validateDefinition(one, METADATA, both))).toEqual(causesOf(recorded(443)));
  });

  it.each([
    [{ clientConfig: { url: 'https://example.com' }, conversionReviewVersions: ['v1'] }, []],
    [{}, ['webhookClientConfig', 'conversionReviewVersions']],
    [{ clientConfig: {}, conversionReviewVersions: ['v1'] }, ['webhookClientConfig']],
    [
      { clientConfig: { service: {} }, conversionReviewVersions: ['v2', 'v2'] },
      ['conversionReviewVersions[1]', 'conversionReviewVersions'],
    ],
  ])('a conversion webhook is accepted if it is complete: %j', async (webhook, fields) => {
    const conversion = { strategy: 'Webhook', webhook };
    const definition = newDefinition(read(merged(bodyOf(recorded(337)), { spec: { conversion } })));
    const errors = await validateDefinition(definition, METADATA);
    expect(errors.map(({ field }) => field)).toEqual(fields.map((field) => `spec.conversion.${field}`));
  });

  it('a conversion without a webhook must not have the fields of one', async () => {
    const conversion = { strategy: 'None', webhook: { clientConfig: {}, conversionReviewVersions: ['v1'] } };
    const definition = newDefinition(read(merged(bodyOf(recorded(337)), { spec: { conversion } })));
    const errors = await validateDefinition(definition, METADATA);
    expect(errors.map(({ type, field }) => [type, field])).toEqual([
      ['Forbidden', 'spec.conversion.webhookClientConfig'],
      ['Forbidden', 'spec.conversion.conversionReviewVersions'],
    ]);
  });
});

describe('the names of a CustomResourceDefinition', () => {
  const created = () => newDefinition(read(bodyOf(recorded(355))));

  it('free names are accepted, which establishes the definition', () => {
    const status = acceptNames(created(), [], NOW);
    expect(untimed(status)).toEqual(untimed(objectAt(stored(358).status)));
    expect(awaitsNames(withStatus(created(), status))).toBe(false);
  });

  it('names of another definition in the group are not accepted, and the condition gives the reason', () => {
    const other = newDefinition(read(bodyOf(recorded(427))));
    const status = acceptNames(other, [stored(358)], NOW);
    expect(untimed(status)).toEqual(untimed(objectAt(stored(428).status)));
    expect(awaitsNames(withStatus(other, status))).toBe(true);
  });

  it('names are accepted after the conflicting definition is gone', () => {
    const other = newDefinition(read(bodyOf(recorded(427))));
    const waiting = withStatus(other, acceptNames(other, [stored(358)], NOW));
    const { conditions, acceptedNames } = acceptNames(waiting, [], '2026-11-22T00:50:00Z');
    expect(conditions?.map(({ type, status, lastTransitionTime: at }) => [type, status, at])).toEqual([
      ['NamesAccepted', 'True', '2026-11-22T00:50:00Z'],
      ['Established', 'True', '2026-11-22T00:50:00Z'],
    ]);
    expect(acceptedNames.kind).toBe('Widget');
  });

  it('a later change of names does not establish the definition again', () => {
    const old = stored(358);
    const renamed = nextDefinition(merged(old, { spec: { names: { shortNames: ['wx'] } } }), old);
    const { conditions, acceptedNames } = acceptNames(renamed, [], '2026-11-22T00:50:00Z');
    expect(acceptedNames.shortNames).toEqual(['wx']);
    expect(untimed({ conditions } as unknown as JsonObject)).toEqual(
      untimed({ conditions: objectAt(old.status).conditions ?? null }),
    );
  });
});

/** The status without times, which differ in each run. */
function untimed(status: object): unknown {
  return JSON.parse(
    JSON.stringify(status).replaceAll(/"lastTransitionTime":"[^"]*"/g, '"lastTransitionTime":""'),
  );
}

/** Applies a merge patch. */
function merged(object: JsonObject, patch: JsonObject): JsonObject {
  const members = Object.entries(patch).map(([name, value]) => [
    name,
    isJsonObject(value) ? merged(objectAt(object[name]), value) : value,
  ]);
  return { ...object, ...Object.fromEntries(members) };
}
