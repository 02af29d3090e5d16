import { createHash } from 'node:crypto';
import type { KubernetesObject } from '../../../support/service/http-client.ts';
import type { NaiveSelector, Selectable } from './naive-selector.ts';

/** One state of one object. With `gone`, it is the deletion, with the last state of the object. */
export interface Version extends Selectable {
  readonly rv: number;
  readonly gone: boolean;
  /** The hash of the whole object without its resourceVersion. */
  readonly hash: string;
}

/** All writes, from their responses. It computes lists and events naively. */
export class NaiveModel {
  readonly #versions: Version[] = [];

  wrote(object: KubernetesObject): void {
    this.#versions.push(versionOf(object, false));
  }

  deleted(object: KubernetesObject, rv: number): void {
    this.#versions.push({ ...versionOf(object, true), rv });
  }

  get versions(): readonly Version[] {
    return this.#versions.toSorted((one, other) => one.rv - other.rv);
  }

  /** The current objects in their last state. */
  get objects(): Version[] {
    return this.at(Number.POSITIVE_INFINITY);
  }

  /** The objects at `rv`, in the order of a list: by namespace, then name. */
  at(rv: number): Version[] {
    const last = new Map<string, Version>();
    for (const version of this.versions) {
      if (version.rv <= rv) last.set(`${version.namespace}/${version.name}`, version);
    }
    const keys = [...last.keys()].sort();
    return keys.flatMap((key) => last.get(key) ?? []).filter(({ gone }) => !gone);
  }

  list(selector: NaiveSelector, { rv, namespace }: { rv: number; namespace?: string | undefined }): string[] {
    return this.at(rv)
      .filter((object) => namespace === undefined || object.namespace === namespace)
      .filter((object) => selector.selects(object))
      .map(describe);
  }

  /** The events of the selection for the writes after `rv`. */
  events(
    selector: NaiveSelector,
    { rv, namespace }: { rv: number; namespace?: string | undefined },
  ): string[] {
    const last = new Map<string, Version>();
    const selected = (version: Version | undefined) =>
      version !== undefined &&
      !version.gone &&
      (namespace === undefined || version.namespace === namespace) &&
      selector.selects(version);
    return this.versions.flatMap((version) => {
      const key = `${version.namespace}/${version.name}`;
      const before = last.get(key);
      last.set(key, version);
      if (version.rv <= rv) return [];
      if (selected(version)) return [`${selected(before) ? 'MODIFIED' : 'ADDED'} ${describe(version)}`];
      // It leaves in the last selected state, at the resourceVersion of the change that made it leave.
      return before !== undefined && selected(before)
        ? [`DELETED ${describe({ ...before, rv: version.rv })}`]
        : [];
    });
  }
}

export function describe({
  namespace,
  name,
  rv,
  hash,
}: Omit<Version, keyof Selectable | 'gone'> & Selectable): string {
  return `${namespace}/${name} ${rv} ${hash}`;
}

export function describeObject(object: KubernetesObject): string {
  return describe(versionOf(object, false));
}

function versionOf(object: KubernetesObject, gone: boolean): Version {
  const { resourceVersion, namespace, name, labels = {} } = object.metadata;
  const { nodeName = '' } = object.spec as { nodeName?: string };
  return { namespace, name, nodeName, labels, rv: Number(resourceVersion), gone, hash: hashOf(object) };
}

/**
 * The hash of an object. Every response and event has the fields in the same order, except for the labels, which are a
 * map. The kind is left out, because a list has it only once for all items.
 */
function hashOf({ metadata, kind: _kind, apiVersion: _apiVersion, ...rest }: KubernetesObject): string {
  const { resourceVersion: _resourceVersion, labels, ...others } = metadata;
  const said = JSON.stringify([others, Object.entries(labels ?? {}).sort(), rest]);
  return createHash('sha1').update(said).digest('hex').slice(0, 12);
}
