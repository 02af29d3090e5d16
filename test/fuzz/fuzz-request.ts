import type { Random } from '../../lib/platform/index.ts';

/** One request as the bench sends it, in this process or over HTTP. */
export interface FuzzRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly type?: string;
  readonly accept?: string;
  readonly body?: Uint8Array | string;
}

/** A family of hostile requests that can be made of any size. */
export interface Shape {
  readonly name: string;
  /** Bytes up to which the shape is tried. */
  readonly most: number;
  /** Definitions and objects that have to exist before. */
  readonly before?: readonly FuzzRequest[];
  /** A request of about so many bytes. The same size and the same chance give the same request. */
  make(bytes: number, random: Random): FuzzRequest;
}

/** A text of about so many bytes, made of what `part` gives for 0, 1, 2 and so on. */
export function repeated(bytes: number, part: (index: number) => string): string {
  const parts: string[] = [];
  let length = 0;
  for (let index = 0; length < bytes; index += 1) {
    const text = part(index);
    parts.push(text);
    length += text.length;
  }
  return parts.slice(0, -1).join('');
}

export const KIB = 1024;
export const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
export const PODS = '/api/v1/namespaces/default/pods';
export const REVIEWS = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
export const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
