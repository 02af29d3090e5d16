import type { HttpClient } from '../../support/service/http-client.ts';
import { labelsOf, nameOf } from '../console/pods.ts';

/** The two requirements: they select one pod in twenty. */
export const WANTED = { environment: 'qa', ring: 'r2' } as const;
export const SELECTOR = Object.entries(WANTED)
  .map(([key, value]) => `${key}=${value}`)
  .join(',');

/** The label that the user changes. */
export const KEY = 'ring';

/** The label that changes while the user looks: the first one, which narrow columns show too. */
export const WATCHED_KEY = 'app';

/** The indexes of the pods that the selector matches, ascending. */
export function foundOf(pods: number): number[] {
  return Array.from({ length: pods }, (_, index) => index).filter((index) => {
    const labels = labelsOf(index);
    return Object.entries(WANTED).every(([key, value]) => labels[key] === value);
  });
}

/** The pod of an index, with its owners. */
export function podOf(index: number) {
  const { app } = labelsOf(index);
  return { name: nameOf(index), deployment: app ?? '', replicaSet: `${app}-7f9c` };
}

/** The Deployment of a pod with a name. */
export function appOf(name: string): { readonly app: string } {
  return { app: podOf(Number(name.slice(name.lastIndexOf('-') + 1))).deployment };
}

/** The place in the list of the pod that the tasks are about: no program has selected it already. */
export const PLACE = 4;

let values = 0;

/** A label value that no pod has yet. */
export function newValue(): string {
  values += 1;
  return `x${values}`;
}

export function pathOf(name: string): string {
  return `/api/v1/namespaces/default/pods/${name}`;
}

/** Changes the watched label of a pod. Resolves when Winnow has answered. */
export async function relabel(http: HttpClient, name: string, value: string): Promise<void> {
  await http.merge(pathOf(name), { metadata: { labels: { [WATCHED_KEY]: value } } });
}

/** The value of the label that the user changes. */
export async function labelOf(http: HttpClient, name: string): Promise<string> {
  const { body } = await http.get(pathOf(name));
  return body.metadata.labels[KEY] ?? '';
}

/** Throws unless the label that the user changed has a value. */
export async function expectLabel(http: HttpClient, name: string, value: string): Promise<void> {
  const found = await labelOf(http, name);
  if (found !== value) throw new Error(`${name} has ${KEY}=${found}, not ${value}`);
}
