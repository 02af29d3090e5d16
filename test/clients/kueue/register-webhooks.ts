import { readFile } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import type { HttpClient } from '../../support/service/http-client.ts';

/** The API groups of Kueue's own kinds and of the Jobs that it manages here. */
const GROUPS = ['kueue.x-k8s.io', 'batch'];

export interface WebhookPlace {
  /** The file with Kueue's webhook configurations. */
  readonly file: string;
  readonly port: number;
  /** The authority of the server's certificate, as PEM. */
  readonly authority: string;
}

interface Configuration {
  readonly kind: string;
  readonly webhooks: readonly {
    readonly clientConfig: { readonly service: { readonly path: string } };
    readonly rules: readonly { readonly apiGroups: readonly string[] }[];
  }[];
}

/** Registers Kueue's webhooks for its own kinds and for Jobs, by URL instead of its Service. */
export async function registerWebhooks(
  http: HttpClient,
  { file, port, authority }: WebhookPlace,
): Promise<void> {
  const caBundle = Buffer.from(authority).toString('base64');
  for (const document of parseAllDocuments(await readFile(file, 'utf8'))) {
    const configuration = document.toJS() as Configuration;
    const webhooks = configuration.webhooks
      .filter(({ rules }) => rules.every(({ apiGroups }) => apiGroups.every((one) => GROUPS.includes(one))))
      .map(({ clientConfig, ...webhook }) => ({
        ...webhook,
        clientConfig: { url: `https://127.0.0.1:${port}${clientConfig.service.path}`, caBundle },
      }));
    const path = `/apis/admissionregistration.k8s.io/v1/${configuration.kind.toLowerCase()}s`;
    await http.post(path, { ...configuration, webhooks });
  }
}
