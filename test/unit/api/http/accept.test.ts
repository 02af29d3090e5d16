import { describe, expect, it } from '@jest/globals';
import { negotiate, type Representation } from '../../../../lib/api/http/accept.ts';
import { ApiError } from '../../../../lib/api/status/status.ts';

const KUBECTL_GET =
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json';

const CASES: readonly [string, string | undefined, Representation][] = [
  ['no header', undefined, 'json'],
  ['an empty header', '', 'json'],
  ['kubectl get', KUBECTL_GET, 'table'],
  ['kubectl get -o yaml', 'application/json', 'json'],
  ['kubectl describe', 'application/vnd.kubernetes.protobuf,application/json', 'json'],
  ['client-node', 'application/json, */*;q=0.8', 'json'],
  ['client-node watching', '*/*', 'json'],
  ['application/*', 'application/*', 'json'],
  ['parameters that mean nothing here', 'application/json;stream=watch;charset=utf-8', 'json'],
  ['blanks, quotes and capitals', ' Application/JSON ; as="Table" ; v=v1 ; g=meta.k8s.io', 'table'],
  ['a quality that prefers JSON', 'application/json;as=Table;v=v1;g=meta.k8s.io;q=0.5,*/*', 'json'],
  ['a Table of a version there is not', 'application/json;as=Table;v=v9;g=meta.k8s.io,*/*', 'json'],
  ['a Table of another group', 'application/json;as=Table;v=v1;g=x,application/json', 'json'],
  ['one object', 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io', 'partial-metadata'],
  [
    'a metadata client listing',
    'application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json',
    'partial-metadata',
  ],
];

const REFUSED = [
  'text/html',
  'application/vnd.kubernetes.protobuf',
  'application/json;q=0',
  'application/json;as=Scale;v=v1;g=autoscaling',
  'application/json;q=high',
];

describe('negotiate', () => {
  it.each(CASES)('answers %s with what it prefers', (_, header, representation) => {
    expect(negotiate(header)).toBe(representation);
  });

  it.each(REFUSED)('refuses %s with 406', (header) => {
    const refusal = { code: 406, reason: 'NotAcceptable' };
    expect(() => negotiate(header)).toThrow(ApiError);
    expect(() => negotiate(header)).toThrow(expect.objectContaining(refusal));
  });
});
