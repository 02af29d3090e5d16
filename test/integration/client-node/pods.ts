import {
  CoreV1Api,
  type KubeConfig,
  PatchStrategy,
  setHeaderOptions,
  type V1Pod,
} from '@kubernetes/client-node';
import { podSpec } from '../../support/pod-spec.ts';

const namespace = 'default';

/** Writes pods of the namespace `default`. */
export class Pods {
  static readonly path = '/api/v1/namespaces/default/pods';
  readonly #core: CoreV1Api;

  constructor(config: KubeConfig) {
    this.#core = config.makeApiClient(CoreV1Api);
  }

  list(labelSelector?: string) {
    return this.#core.listNamespacedPod({ namespace, labelSelector });
  }

  create(name: string, labels: Record<string, string>): Promise<V1Pod> {
    return this.#core.createNamespacedPod({
      namespace,
      body: { metadata: { name, labels }, spec: podSpec() },
    });
  }

  /** Sets labels; null removes one. */
  label(name: string, labels: Record<string, string | null>): Promise<V1Pod> {
    const merge = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);
    return this.#core.patchNamespacedPod({ namespace, name, body: { metadata: { labels } } }, merge);
  }

  async delete(name: string): Promise<void> {
    await this.#core.deleteNamespacedPod({ namespace, name });
  }
}
