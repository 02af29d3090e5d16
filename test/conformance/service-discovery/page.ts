import type { Resolver } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { root } from '../../../infra/bundle/index.ts';
import type { JsonObject } from '../../../lib/json/index.ts';
import type { HttpClient } from '../../support/service/http-client.ts';

interface Manifest extends JsonObject {
  kind: string;
  metadata: { name: string; namespace: string };
}

/** A part of docs/service-discovery.md: objects, a pod's status, or a query with the output of `dig`. */
type Part =
  | { readonly objects: readonly Manifest[] }
  | { readonly pod: string; readonly status: JsonObject }
  | { readonly command: string; readonly prints: string };

const PATHS: Readonly<Record<string, string>> = {
  Pod: '/api/v1/namespaces/default/pods',
  Service: '/api/v1/namespaces/default/services',
  EndpointSlice: '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
};
const PATCH = /^\$ kubectl patch pod (\S+) --subresource=status --type=merge -p '(.*)'$/;
const DIG = '$ dig @127.0.0.1 -p 1053 +short ';

export function readPage(): Part[] {
  const page = readFileSync(join(root, 'docs/service-discovery.md'), 'utf8');
  return [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)].flatMap(([, language, text = '']): Part[] => {
    if (language === 'yaml') return [{ objects: parseAllDocuments(text).map((one) => one.toJS()) }];
    return text.split(/^(?=\$ )/m).flatMap((part): Part[] => {
      const [line = '', ...prints] = part.trimEnd().split('\n');
      const [, pod, status] = PATCH.exec(line) ?? [];
      if (pod !== undefined && status !== undefined) return [{ pod, status: JSON.parse(status) }];
      return line.startsWith(DIG) ? [{ command: line.slice(DIG.length), prints: prints.join('\n') }] : [];
    });
  });
}

/** Applies an object as `kubectl apply --server-side` does. */
export async function apply(http: HttpClient, object: Manifest): Promise<void> {
  const path = `${PATHS[object.kind]}/${object.metadata.name}?fieldManager=page`;
  await http.ask('PATCH', path, { body: object, type: 'application/apply-patch+yaml' });
}

/** The output of `dig +short`, sorted: dig shows records in the order of their arrival. */
export async function dig(resolver: Resolver, command: string): Promise<string> {
  const [type = '', name = ''] = command.includes(' ') ? command.split(' ') : ['A', command];
  const lines =
    type === 'SRV' ? await services(resolver, name) : await resolver.resolve4(name).catch(() => []);
  return lines.toSorted().join('\n');
}

async function services(resolver: Resolver, name: string): Promise<string[]> {
  const records = await resolver.resolveSrv(name).catch(() => []);
  return records.map(({ priority, weight, port, name: host }) => `${priority} ${weight} ${port} ${host}.`);
}
