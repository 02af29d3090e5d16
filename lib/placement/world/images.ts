import type { Node } from '../objects.ts';

interface ImageState {
  /** As the first node said it that had the image. */
  readonly bytes: number;
  readonly nodes: Set<string>;
}

/** The images that nodes hold. */
export class Images {
  readonly #byName = new Map<string, ImageState>();

  add({ metadata, status }: Node): void {
    for (const { names, sizeBytes } of status?.images ?? []) {
      for (const name of names ?? []) {
        const state = this.#byName.get(name) ?? { bytes: sizeBytes ?? 0, nodes: new Set<string>() };
        this.#byName.set(name, state);
        state.nodes.add(metadata?.name ?? '');
      }
    }
  }

  remove(node: string, images: Iterable<string>): void {
    for (const name of images) {
      const state = this.#byName.get(name);
      state?.nodes.delete(node);
      if (state?.nodes.size === 0) this.#byName.delete(name);
    }
  }

  /** Undefined of an image that no node holds. */
  find(name: string): { readonly bytes: number; readonly nodeCount: number } | undefined {
    const state = this.#byName.get(name);
    return state && { bytes: state.bytes, nodeCount: state.nodes.size };
  }
}
