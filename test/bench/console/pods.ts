import { connect, type Kind, resource } from '../../../lib/client/objects/index.ts';

export const PODS = resource<Kind<{ spec: { containers: readonly { name: string; image: string }[] } }>>(
  'v1',
  'pods',
  { kind: 'Pod' },
);
const AT_ONCE = 16;

/** Two label conditions that select one pod in eight. */
export const TWO_LABELS = { tier: 'frontend', environment: 'qa' } as const;

/** The labels of a pod, such as those of a deployed application. */
export function labelsOf(index: number): Record<string, string> {
  return {
    app: `app-${index % 40}`,
    tier: index % 2 === 0 ? TWO_LABELS.tier : 'backend',
    environment: ['production', 'production', TWO_LABELS.environment, 'dev'][Math.floor(index / 2) % 4] ?? '',
    ring: `r${index % 5}`,
  };
}

export function nameOf(index: number): string {
  return `web-${String(index).padStart(5, '0')}`;
}

interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}

/** Creates pods in the namespace `default`. `ownerOf` returns the controller of a pod. */
export async function createPods(
  url: string,
  count: number,
  ownerOf: (index: number) => Owner | undefined = () => undefined,
): Promise<void> {
  const pods = connect({ url }).objects(PODS, { namespace: 'default' });
  const indexes = Array.from({ length: count }, (_, index) => index).values();
  const create = async () => {
    for (const index of indexes) {
      const owner = ownerOf(index);
      const metadata = {
        name: nameOf(index),
        labels: labelsOf(index),
        ...(owner && { ownerReferences: [{ ...owner, controller: true }] }),
      };
      await pods.create({ metadata, spec: { containers: [{ name: 'main', image: 'web:1' }] } });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, create));
}
