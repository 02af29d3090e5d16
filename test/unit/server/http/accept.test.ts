import { describe, expect, it } from '@jest/globals';
import { negotiate, prefersYaml, type Representation } from '../../../../lib/server/http/accept.ts';
import { ApiError } from '../../../../lib/server/status/status.ts';

const KUBECTL_GET =
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json';

const CASES: readonly [string, string | undefined, Representation['as']][] = [
  ['no header', undefined, 'itself'],
  ['an empty header', '', 'itself'],
  ['kubectl get', KUBECTL_GET, 'Table'],
  ['kubectl get -o yaml', 'application/json', 'itself'],
  ['kubectl describe', 'application/vnd.kubernetes.protobuf,application/json', 'itself'],
  ['client-node', 'application/json, */*;q=0.8', 'itself'],
  ['client-node watching', '*/*', 'itself'],
  ['no quality at all', 'application/json;q=0', 'itself'],
  ['parameters that mean nothing here', 'application/json;stream=watch;charset=utf-8', 'itself'],
  ['blanks, quotes and capitals', ' Application/JSON ; as="Table" ; v=v1 ; g=meta.k8s.io', 'Table'],
  ['a quality that prefers JSON', 'application/json;as=Table;v=v1;g=meta.k8s.io;q=0.5,*/*', 'itself'],
  ['a Table of a version there is not', 'application/json;as=Table;v=v9;g=meta.k8s.io,*/*', 'itself'],
  ['a Table of another group', 'application/json;as=Table;v=v1;g=x,application/json', 'itself'],
  ['one object', 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io', 'PartialObjectMetadata'],
  [
    'a metadata client listing',
    'application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json',
    'PartialObjectMetadataList',
  ],
];

const OFFERED = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
// The messages are those of kube-apiserver 1.33.2.
const REFUSED = [
  ['text/html', `406: Not Acceptable\n\nAvailable representations: ${OFFERED}`],
  ['application/*', `406: Not Acceptable\n\nAvailable representations: ${OFFERED}`],
  [
    'application/vnd.kubernetes.protobuf',
    'only the following media types are accepted: application/json, application/yaml',
  ],
  ['application/json;as=Scale;v=v1;g=autoscaling', `only the following media types are accepted: ${OFFERED}`],
] as const;

describe('negotiate', () => {
  it.each(CASES)('negotiate answers %s with the preferred representation', (_, header, representation) => {
    expect(negotiate(header).as).toBe(representation);
  });

  it('negotiate supports two versions of Tables', () => {
    const versions = ['v1', 'v1beta1'].map((v) =>
      negotiate(`application/json;as=Table;v=${v};g=meta.k8s.io`),
    );
    expect(versions.map(({ version }) => version)).toEqual(['v1', 'v1beta1']);
  });

  it.each([
    ['application/yaml', true],
    ['application/yaml, application/json', true],
    ['application/json, application/yaml', false],
    ['application/vnd.kubernetes.protobuf,application/yaml', true],
    ['application/json;q=0.5, application/yaml', true],
    ['*/*, application/yaml', false],
    ['application/yaml;as=Table;v=v9;g=meta.k8s.io, application/json', false],
    ['text/yaml', false],
    [undefined, false],
  ])('prefers YAML with %s: %s', (header, preferred) => {
    expect(prefersYaml(header)).toBe(preferred);
  });

  it('has no watch in YAML', () => {
    const refusal = expect.objectContaining({ code: 406 });
    expect(() => negotiate('application/yaml', { isWatch: true })).toThrow(refusal);
    expect(negotiate('application/yaml, application/json', { isWatch: true }).as).toBe('itself');
  });

  it.each(REFUSED)('refuses %s with 406', (header, message) => {
    const refusal = { code: 406, reason: 'NotAcceptable', message };
    expect(() => negotiate(header)).toThrow(ApiError);
    expect(() => negotiate(header)).toThrow(expect.objectContaining(refusal));
  });
});
