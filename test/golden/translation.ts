import { isJsonObject, type JsonValue } from '../../lib/json/index.ts';
import { splitPath } from '../../lib/server/http/index.ts';
import { UUID } from './same-shape.ts';

/**
 * Maps uids, resourceVersions, continue tokens and addresses of the recorded run to those of Winnow's run. It learns
 * them from the answers, because later requests of the recording contain the recorded ones.
 */
export class Translation {
  readonly #words = new Map<string, string>();
  /** By recorded token alone: requests also send continue tokens to lists of another resource. */
  readonly #tokens = new Map<string, string>();
  /** Generated names: recorded to Winnow's. */
  readonly #generated = new Map<string, string>();
  /** The first resourceVersion of an object, by resource, in the recording. */
  readonly #first = new Map<string, number>();

  /** Learns from the recorded answer to a request and from Winnow's. */
  learn(path: string, recorded: JsonValue | undefined, ours: JsonValue | undefined): void {
    this.#walk(recorded, ours, resourceOf(path));
  }

  path(path: string): string {
    const [named = '', query] = path.split('?', 2);
    const before = named.replaceAll(/[^/]+/g, (segment) => this.#generated.get(segment) ?? segment);
    if (query === undefined) return before;
    const parameters = query.split('&').map((parameter) => {
      const [name = '', value = ''] = parameter.split('=', 2);
      return name === 'continue' || name === 'resourceVersion'
        ? `${name}=${encodeURIComponent(this.#ours(name, resourceOf(path), value))}`
        : parameter;
    });
    return `${before}?${parameters.join('&')}`;
  }

  #ours(name: string, resource: string, value: string): string {
    const known = this.#words.get(keyOf(name, resource, value)) ?? this.#tokens.get(value);
    if (known !== undefined) return known;
    const before =
      name === 'resourceVersion' &&
      /^0*[1-9]\d*$/.test(value) &&
      Number(value) < (this.#first.get(resource) ?? 0);
    // Before the first write of this run the resourceVersion is 1.
    return before ? value.replace(/\d$/, '1') : decodeURIComponent(value);
  }

  /** Translates a body: uids, addresses of Services, and the resourceVersion of the object that the path names. */
  body(path: string, text: string): string {
    return text
      .replaceAll(new RegExp(UUID, 'g'), (uid) => this.#words.get(keyOf('uid', '', uid)) ?? uid)
      .replaceAll(
        /("resourceVersion": ?")(\d+)"/g,
        (_all, before, rv) =>
          `${before}${this.#words.get(keyOf('resourceVersion', resourceOf(path), rv)) ?? rv}"`,
      )
      .replaceAll(
        /"(10(?:\.\d+){3})"/g,
        (_all, address) => `"${this.#words.get(keyOf('clusterIP', resourceOf(path), address)) ?? address}"`,
      );
  }

  #walk(recorded: JsonValue | undefined, ours: JsonValue | undefined, resource: string): void {
    if (Array.isArray(recorded) && Array.isArray(ours)) {
      for (const [index, item] of recorded.entries()) this.#walk(item, ours[index], resource);
    } else if (isJsonObject(recorded) && isJsonObject(ours)) {
      for (const [name, value] of Object.entries(recorded)) {
        const own = ours[name];
        if (typeof value === 'string' && typeof own === 'string') {
          this.#words.set(keyOf(name, resource, value), own);
          if (name === 'continue') this.#tokens.set(value, own);
          if (name === 'name' && recorded.generateName !== undefined) this.#generated.set(value, own);
          if (name === 'resourceVersion' && recorded.uid !== undefined) {
            this.#first.set(resource, Math.min(Number(value), this.#first.get(resource) ?? Number(value)));
          }
        } else {
          this.#walk(value, own, resource);
        }
      }
    }
  }
}

function keyOf(name: string, resource: string, value: string): string {
  return name === 'uid' ? value : `${name} ${resource} ${value}`;
}

/**
 * Returns the resource of a path: `core pods` of `/api/v1/namespaces/a/pods/x?limit=1`. Each resource has its own
 * resourceVersions.
 */
function resourceOf(path: string): string {
  const segments = splitPath(path.split('?', 1).join(''));
  const [group, rest] = segments[0] === 'api' ? ['', segments.slice(2)] : [segments[1], segments.slice(3)];
  const resource = rest[0] === 'namespaces' && rest.length > 2 ? rest[2] : rest[0];
  return `${group}/${resource}`;
}
