import type { JsonObject } from '../../../../lib/json/index.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Secrets of each type that lack required data. */
export const secrets: readonly JsonObject[] = [
  { data: { 'a b': '', '..': '' } },
  { type: 'kubernetes.io/service-account-token' },
  { type: 'kubernetes.io/dockercfg' },
  { type: 'kubernetes.io/dockercfg', data: { '.dockercfg': base64('[]') } },
  { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': base64('{') } },
  { type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': '{}' } },
  { type: 'kubernetes.io/basic-auth' },
  { type: 'kubernetes.io/basic-auth', stringData: { password: 'x' } },
  { type: 'kubernetes.io/ssh-auth', stringData: { 'ssh-privatekey': '' } },
  { type: 'kubernetes.io/tls', stringData: { 'tls.crt': 'a' } },
  { type: 'kubernetes.io/tls', stringData: { 'tls.crt': '', 'tls.key': '' } },
  { type: 'bootstrap.kubernetes.io/token' },
  { type: 'my/own', immutable: true, stringData: { a: 'b' } },
];
